"""Pays a QR once: python3 pay.py <content of the QR> <your id of the payment>"""
import http.client, json, os, sys, time, urllib.error, urllib.request

URL = os.environ.get("QUIPU_URL", "http://127.0.0.1:4002")
KEY = os.environ.get("QUIPU_API_KEY", "qpu_mock_python")


def post(path, body):
    """Sends the same bytes again while the outcome is unknown."""
    data = json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
    for attempt in range(8):
        wait = min(2**attempt, 30)
        try:
            request = urllib.request.Request(URL + path, data, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(f"{error.code} {error.read().decode()}")
            wait = int(error.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException):
            pass  # A timeout or a lost connection: the payment may be under way.
        time.sleep(wait)
    sys.exit("The outcome is unknown: send the same body again later.")


content, transaction_id = sys.argv[1:3]
resolution = post("/v1/payouts/qr/resolve", {"content": content})
quote = post("/v1/quotes", {"resolution_id": resolution["resolution_id"]})
# Amounts are strings. Calculate with decimal.Decimal, never with float.
print("price", quote["source"]["amount"], "USDT")
# Store this body before the first request. After a crash, send the stored body.
order = {
    "transaction_id": transaction_id,
    "type": "qr",
    "quote_id": quote["id"],
    "qr": {"content": content},
}
payout = post("/v1/payouts", order)
print(payout["status"], payout["id"])  # After `processing`, an event follows.
