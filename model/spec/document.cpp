// SPDX-License-Identifier: Apache-2.0
// yaml-cpp events -> Node tree, with positions, and with what YAML allows but a configuration should not hold.
// Internal to model/spec.
#include "model/spec/document.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "model/base/input_file.h"
#include "model/base/printable.h"
#include "model/spec/file_limit.h"
#include "model/spec/source_text.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxNesting = 64;  // loops in loops in an experiment need half of it

// What was reported makes the rest of the document meaningless.
struct Hopeless {};

bool reject_open_quote(const YAML::Mark& mark, const SourceText& source, Report& report) {
  if (!source.opens_quote_for_good(mark)) return false;
  report.add(source.location_of(mark), {}, "YAML syntax: the quote that opens here is not closed");
  return true;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, Report& report) : source_(source), report_(report) {
    root_.where = source.start();
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++num_documents_ == 2) report_.add(at(mark), {}, "a second document follows", "", "one document a file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const bool is_entry = !open_.empty() && open_.back().node.kind == Node::Kind::kSequence;
    add_value(leaf(Node::Kind::kNull, is_entry ? source_.dash_before(mark) : mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    report_.add(at(mark), {}, "an alias is not supported", "", "write the value out");
    add_value(leaf(Node::Kind::kInvalid, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& text) override {
    if (reject_open_quote(mark, source_, report_)) throw Hopeless{};
    Node node = leaf(reject_tag(mark, tag) ? Node::Kind::kInvalid : Node::Kind::kScalar, mark);
    node.text = text;
    node.is_plain = tag == "?";
    add_value(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::kSequence, mark, tag);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(Node::Kind::kMapping, mark, tag);
  }
  void OnMapEnd() override { close(); }

  Node take_root() { return std::move(root_); }
  bool has_document() const { return num_documents_ > 0; }

 private:
  struct Open {
    Node node;
    std::optional<Node> key;                          // mapping: the key whose value comes next
    std::unordered_map<std::string, int> lines = {};  // mapping: of its keys
  };

  Location at(const YAML::Mark& mark) const { return source_.location_of(mark); }

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

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    reject_tag(mark, tag);
    if (open_.size() == kMaxNesting) {
      report_.add(at(mark), {}, "is nested too deeply", "", fmt::format("at most {} levels", kMaxNesting));
      throw Hopeless{};
    }
    open_.push_back({leaf(kind, mark), std::nullopt});
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
      add_entry(parent, *std::exchange(parent.key, std::nullopt), std::move(node));
    }
  }

  void add_entry(Open& mapping, const Node& key, Node value) {
    if (key.kind == Node::Kind::kInvalid) return;
    if (key.kind != Node::Kind::kScalar) {
      report_.add(key.where, {}, "a key must be a word", describe(key));
      return;
    }
    const auto [first, is_new] = mapping.lines.emplace(key.text, key.where.line);
    if (!is_new) {
      report_.add(key.where, {}, "duplicate key", key.text, fmt::format("first in line {}", first->second));
      return;
    }
    if (value.kind == Node::Kind::kNull) value.where = key.where;  // the parser's mark is the next token's
    value.key = key.text;
    value.key_where = key.where;
    mapping.node.children.push_back(std::move(value));
  }

  const SourceText& source_;
  Report& report_;
  Node root_;
  std::vector<Open> open_;
  int num_documents_ = 0;
};

const Node* find_child(const Node& node, std::string_view name) {
  if (node.kind != Node::Kind::kMapping) return nullptr;
  for (const Node& child : node.children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

void reject_syntax(const YAML::Exception& error, const SourceText& source, Report& report) {
  if (reject_open_quote(error.mark, source, report)) return;  // of a key: the parser stumbles before it reads it
  report.add(source.location_of(error.mark), {}, "YAML syntax: " + error.msg);
}

}  // namespace

const Node* Node::find(std::string_view name) const { return find_child(*this, name); }
Node* Node::find(std::string_view name) { return const_cast<Node*>(find_child(*this, name)); }

void Node::replace_content(Node other) {
  other.key = std::move(key);
  other.key_where = std::move(key_where);
  *this = std::move(other);
}

Node plain_scalar(std::string text, const Location& where) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.is_plain = true;
  node.where = where;
  node.text = std::move(text);
  return node;
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

// yaml-cpp takes the byte 0x04 for the end of the input and would drop what follows it, and passes on what is no UTF-8.
bool reject_foreign_bytes(const std::string& text, const Location& start, Report& report) {
  Location where = start;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
    const bool is_control = (byte < 0x20 && !is_blank) || byte == 0x7f;
    if (length == 0 || is_control) {
      report.add(where, {}, is_control ? "a control character" : "a byte that is not UTF-8",
                 fmt::format("0x{:02x}", static_cast<unsigned>(byte)), "UTF-8 text");
      return true;
    }
    if (byte == '\n') {
      ++where.line;
      where.column = 1;
    } else {
      ++where.column;
    }
    i += length;
  }
  return false;
}

Node parse_document(std::string text, const Location& start, Report& report) {
  Node root;
  root.where = start;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (std::string_view(text).substr(0, kByteOrderMark.size()) == kByteOrderMark) text.erase(0, kByteOrderMark.size());
  if (reject_foreign_bytes(text, start, report)) return root;
  const SourceText source(text, start);
  TreeBuilder builder(source, report);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    // The second call finds only what does not belong here.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    const bool ends_in_quote = error.msg == YAML::ErrorMsg::EOF_IN_SCALAR && text.back() != '\n';
    // At the end of a line the parser ends the scalar itself, and so tells where it began.
    if (ends_in_quote) return parse_document(text + '\n', start, report);
    reject_syntax(error, source, report);
    return root;
  } catch (const Hopeless&) {
    return root;
  }
  if (builder.has_document()) return builder.take_root();
  root.kind = Node::Kind::kNull;
  return root;
}

Node read_document(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key,
                   Report& report) {
  std::string problem;
  std::optional<std::string> text = read_input_file(path, kMaxFileBytes, problem);
  if (!text) {
    report.add(referred_from, key, std::move(problem), path.string());
    return {};
  }
  Node root = parse_document(std::move(*text), {path.string(), 1, 1}, report);
  root.is_file_root = true;
  return root;
}

}  // namespace tessera::spec
