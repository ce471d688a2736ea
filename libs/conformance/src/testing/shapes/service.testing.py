"""A right service by Python's standard library alone: /books, rows in result.books, cursors in result.next.

The first argument may name one fault.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, unquote, urlsplit

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
books, lock, made = {}, Lock(), 0


class Books(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are sent in one packet.
    wbufsize = -1

    def log_message(self, *_):
        pass

    def answer(self, status, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        if FAULT == "html" and status >= 400:
            data, headers["Content-Type"] = b"<h1>Error</h1>", "text/html"
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        self.wfile.flush()

    def error(self, status, text):
        self.answer(status, {"message": text} if FAULT == "message" else {"error": text})

    def read(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            self.error(500 if FAULT == "malformed" else 400, "The body is not JSON.")
            return None
        if not isinstance(body, dict) or not isinstance(body.get("title"), str):
            if not (FAULT == "required" and isinstance(body, dict)):
                self.error(422, "The field title is required.")
                return None
        return {key: body.get(key) for key in ("title", "author", "year")}

    def route(self):
        global made
        url = urlsplit(self.path)
        parts = url.path.strip("/").split("/")
        # The body must be read before any response, because the connection is reused.
        method = self.command
        if parts[0] != "books" or len(parts) > 2:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            return self.error(404, "There is nothing here.")
        if method not in (("GET", "HEAD", "POST") if len(parts) == 1 else ("GET", "HEAD", "PUT", "DELETE")):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            return self.error(405, "The method is not supported.")
        with lock:
            if len(parts) == 1:
                if method == "POST":
                    body = self.read()
                    if body is None:
                        return None
                    made += 1
                    books[str(made)] = {"id": str(made), **body}
                    return self.answer(200 if FAULT == "created" else 201, books[str(made)])
                return self.page({name: values[-1] for name, values in parse_qs(url.query).items()})
            key = unquote(parts[1])
            body = self.read() if method == "PUT" else {}
            if body is None:
                return None
            if key not in books:
                return self.error(410 if FAULT == "unknown" else 404, "There is no such book.")
            if method == "DELETE":
                del books[key]
                return self.answer(204)
            if method == "PUT":
                merged = {name: value for name, value in body.items() if value is not None}
                books[key] = {**books[key], **merged} if FAULT == "merge" else {"id": key, **body}
            return self.answer(200, books[key])

    def page(self, query):
        rows = list(books.values())
        if "author" in query and FAULT != "filter":
            rows = [row for row in rows if row["author"] == query["author"]]
        if query.get("sort") == "year" and FAULT != "sort":
            rows.sort(key=lambda row: (row["year"] is None, row["year"] or 0))
        if not query.get("limit", "20").isdecimal() or int(query.get("limit", 20)) == 0:
            if FAULT == "crash":
                self.close_connection = True
                return self.connection.close()
            return self.error(400, "limit is a whole number.")
        limit = min(int(query.get("limit", 20)), 100)
        ids = query["from"].split(".") if "from" in query else [row["id"] for row in rows]
        if FAULT == "offset" and "from" in query:
            ids = [row["id"] for row in rows][len(rows) - len(ids) :]
        rest = ids[limit:]
        result = {"books": [books[key] for key in ids[:limit] if key in books]}
        if rest or FAULT == "endless-null":
            result["next"] = ".".join(rest) if rest else None
        self.answer(200, {"result": result})

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = route


server = ThreadingHTTPServer(("127.0.0.1", 0), Books)
print(server.server_address[1], flush=True)
server.serve_forever()
