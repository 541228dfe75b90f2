# SPDX-License-Identifier: Apache-2.0
"""A language server without an editor: it is spoken to over its standard input and output."""

import json
import subprocess
from pathlib import Path

DEADLINE_S = 60


class LanguageServer:
    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last_id = 0
        self.diagnostics = {}  # by URI
        self.request("initialize", {"processId": None, "rootUri": Path(folder).as_uri(), "capabilities": {
            "textDocument": {"publishDiagnostics": {}, "completion": {}, "hover": {}},
            "workspace": {"configuration": True}}})
        self.notify("initialized", {})

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        self.process.wait(timeout=DEADLINE_S)
        self.process.stdout.close()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = None
        while (line := self.process.stdout.readline().strip()):
            name, value = line.split(b": ")
            length = int(value) if name == b"Content-Length" else length
        if length is None:
            raise EOFError("the language server has ended")
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == self.last_id and "method" not in message:
                return message.get("result")
            self.answer(message)

    def answer(self, message):
        """What the server asks or tells meanwhile."""
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif message.get("method") == "workspace/configuration":
            settings = {"yaml": {"validate": True, "completion": True, "hover": True,
                                 "schemaStore": {"enable": False}}}
            self.send({"id": message["id"], "result": [settings.get(item.get("section")) for item in
                                                       message["params"]["items"]]})
        elif "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})

    def open(self, path):
        """What is wrong with the file, as the server marks it."""
        uri = Path(path).as_uri()
        self.diagnostics.pop(uri, None)
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "yaml", "version": 1, "text": Path(path).read_text()}})
        while uri not in self.diagnostics:
            self.answer(self.receive())
        return self.diagnostics[uri]

    def at(self, method, path, line, column):
        return self.request(f"textDocument/{method}", {
            "textDocument": {"uri": Path(path).as_uri()}, "position": {"line": line - 1, "character": column - 1}})
