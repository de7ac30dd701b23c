"""Receives webhooks: python3 receive.py"""
import hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["QUIPU_WEBHOOK_SECRET"].split(",")  # Two during a rotation.
taken = set()  # In production: a table, written in the transaction that does the work.


def is_from_quipu(header, body):
    fields = [field.partition("=")[::2] for field in header.split(",")]
    times = [value for name, value in fields if name == "t"]
    given = [value.encode() for name, value in fields if name == "v1"]
    if len(times) != 1 or not times[0].isdecimal() or abs(time.time() - int(times[0])) > 300:
        return False
    signed = times[0].encode() + b"." + body
    wanted = [hmac.new(key.encode(), signed, hashlib.sha256).hexdigest().encode() for key in SECRETS]
    return any(hmac.compare_digest(one, other) for one in wanted for other in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))  # The raw bytes.
        accepted = is_from_quipu(self.headers.get("X-Service-Signature", ""), body)
        if accepted:
            take(json.loads(body))
        self.send_response(204 if accepted else 400)
        self.end_headers()


def take(event):
    if event["id"] in taken:
        return
    taken.add(event["id"])
    print(event["type"], event["id"], flush=True)


port = int(os.environ.get("PORT", "8080"))
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
