// SPDX-License-Identifier: Apache-2.0
// yaml-cpp events -> Node tree, with positions, and with what YAML allows but a configuration should not hold.
// Internal to model/spec.
#include "model/spec/document.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

namespace tessera::spec {
namespace {

Location location_of(const YAML::Mark& mark, const Location& start) {
  if (mark.is_null()) return start;
  const int column_offset = mark.line == 0 ? start.column - 1 : 0;
  return {start.file, start.line + mark.line, mark.column + 1 + column_offset};
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const Location& start, Report& report) : start_(start), report_(report) { root_.where = start; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++num_documents_ == 2) report_.add(at(mark), {}, "a second document follows", "", "one document a file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add_value(leaf(Node::Kind::kNull, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    report_.add(at(mark), {}, "an alias is not supported", "", "write the value out");
    add_value(leaf(Node::Kind::kInvalid, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& text) override {
    Node node = leaf(reject_tag(mark, tag) ? Node::Kind::kInvalid : Node::Kind::kScalar, mark);
    node.text = text;
    node.is_plain = tag == "?";
    add_value(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    reject_tag(mark, tag);
    open_.push_back({leaf(Node::Kind::kSequence, mark), std::nullopt});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    reject_tag(mark, tag);
    open_.push_back({leaf(Node::Kind::kMapping, mark), std::nullopt});
  }
  void OnMapEnd() override { close(); }

  Node take_root() { return std::move(root_); }
  bool has_document() const { return num_documents_ > 0; }

 private:
  struct Open {
    Node node;
    std::optional<Node> key;  // mapping: the key whose value comes next
  };

  Location at(const YAML::Mark& mark) const { return location_of(mark, start_); }

  Node leaf(Node::Kind kind, const YAML::Mark& mark) const {
    Node node;
    node.kind = kind;
    node.where = at(mark);
    return node;
  }

  bool reject_tag(const YAML::Mark& mark, const std::string& tag) {
    const bool is_implicit = tag.empty() || tag == "?" || tag == "!";
    if (!is_implicit) report_.add(at(mark), {}, "a tag is not supported", tag);
    return !is_implicit;
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add_value(std::move(node));
  }

  void add_value(Node node) {
    if (open_.empty()) {
      if (num_documents_ <= 1) root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::kSequence) {
      parent.node.children.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      add_entry(parent.node, *std::exchange(parent.key, std::nullopt), std::move(node));
    }
  }

  void add_entry(Node& mapping, const Node& key, Node value) {
    if (key.kind == Node::Kind::kInvalid) return;
    if (key.kind != Node::Kind::kScalar) {
      report_.add(key.where, {}, "a key must be a word", describe(key));
    } else if (const Node* first = mapping.find(key.text)) {
      report_.add(key.where, {}, "duplicate key", key.text, fmt::format("first in line {}", first->key_where.line));
    } else {
      value.key = key.text;
      value.key_where = key.where;
      mapping.children.push_back(std::move(value));
    }
  }

  Location start_;
  Report& report_;
  Node root_;
  std::vector<Open> open_;
  int num_documents_ = 0;
};

// yaml-cpp takes the byte 0x04 for the end of the input and would drop what follows it.
bool reject_control_characters(const std::string& text, const Location& start, Report& report) {
  Location where = start;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f) {
      report.add(where, {}, "a control character", fmt::format("0x{:02x}", static_cast<unsigned>(byte)), "UTF-8 text");
      return true;
    }
    const bool is_continuation = (byte & 0xC0) == 0x80;
    if (c == '\n') {
      ++where.line;
      where.column = 1;
    } else if (!is_continuation) {
      ++where.column;
    }
  }
  return false;
}

// errno's text where reading fails.
std::optional<std::string> read_file(const std::filesystem::path& path, std::string& error) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    error = std::strerror(EISDIR);
    return std::nullopt;
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.is_open() && !in.bad()) return text;
  error = std::strerror(errno != 0 ? errno : EIO);
  return std::nullopt;
}

const Node* find_child(const Node& node, std::string_view name) {
  if (node.kind != Node::Kind::kMapping) return nullptr;
  for (const Node& child : node.children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

}  // namespace

const Node* Node::find(std::string_view name) const { return find_child(*this, name); }
Node* Node::find(std::string_view name) { return const_cast<Node*>(find_child(*this, name)); }

void Node::replace_content(Node other) {
  other.key = std::move(key);
  other.key_where = std::move(key_where);
  *this = std::move(other);
}

bool is_sound(const Node& node) {
  return node.kind != Node::Kind::kInvalid && std::all_of(node.children.begin(), node.children.end(), is_sound);
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kScalar:
      return node.text.empty() ? "an empty text" : node.text;
    case Node::Kind::kSequence:
      return "a list";
    case Node::Kind::kMapping:
      return "a mapping";
    case Node::Kind::kNull:
    case Node::Kind::kInvalid:
      break;
  }
  return "nothing";
}

Node parse_document(const std::string& text, const Location& start, Report& report) {
  Node root;
  root.where = start;
  if (reject_control_characters(text, start, report)) return root;
  TreeBuilder builder(start, report);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    // The second call finds only what does not belong here.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    report.add(location_of(error.mark, start), {}, "YAML syntax: " + error.msg);
    return root;
  }
  if (builder.has_document()) return builder.take_root();
  root.kind = Node::Kind::kNull;
  return root;
}

Node read_document(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key,
                   Report& report) {
  std::string error;
  const std::optional<std::string> text = read_file(path, error);
  if (!text) {
    report.add(referred_from, key, "cannot be read: " + error, path.string());
    return {};
  }
  Node root = parse_document(*text, {path.string(), 1, 1}, report);
  root.is_file_root = true;
  return root;
}

}  // namespace tessera::spec
