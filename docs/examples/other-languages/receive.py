"""Receives webhooks: python3 receive.py"""
import hashlib, hmac, json, os, re, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ.get("QUIPU_WEBHOOK_SECRET", "").split(",")  # Two during a rotation.
if not all(secret.strip() for secret in SECRETS):
    sys.exit("QUIPU_WEBHOOK_SECRET has an empty secret: anyone can sign with that.")
taken = set()  # In production: a table, written in the transaction that does the work.


def is_from_quipu(header, body):
    fields = [field.partition("=")[::2] for field in header.split(",")]
    times = [value for name, value in fields if name == "t"]
    given = [value.encode() for name, value in fields if name == "v1"]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]) or abs(time.time() - int(times[0])) > 300:
        return False
    signed = times[0].encode() + b"." + body
    wanted = [hmac.new(key.encode(), signed, hashlib.sha256).hexdigest().encode() for key in SECRETS]
    return any(hmac.compare_digest(one, other) for one in wanted for other in given)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # Seconds without a byte of a request.

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        is_known = re.fullmatch("[0-9]{1,6}", length)  # Events are a few kB.
        body = self.rfile.read(int(length)) if is_known else b""  # The raw bytes.
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
