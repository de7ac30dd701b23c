"""Pays a QR once: python3 pay.py <content of the QR> <your id of the payment>"""
import http.client, json, os, re, sys, time, urllib.error, urllib.request

URL = os.environ.get("QUIPU_API_URL", "http://127.0.0.1:4002")
KEY = os.environ.get("QUIPU_API_KEY", "qpu_mock_python")


def post(path, body, member):
    """Sends the same bytes again until an answer of Quipu says what became of them."""
    data = json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
    for attempt in range(8):
        wait = min(2**attempt, 30)
        try:
            request = urllib.request.Request(URL + path, data, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                found = json.load(answer)
            if isinstance(found, dict) and member in found:
                return found
        except urllib.error.HTTPError as error:
            if 400 <= error.code < 500 and error.code not in (408, 429):
                sys.exit(f"{error.code} {error.read().decode(errors='replace')}")
            after = error.headers.get("Retry-After", "")  # Seconds, or a date.
            wait = int(after) if re.fullmatch("[0-9]{1,4}", after) else wait
        except (OSError, ValueError, http.client.HTTPException):
            pass  # No answer, or not one of Quipu.
        time.sleep(wait)  # The payment may be under way.
    sys.exit("The outcome is unknown: send the same body again later.")


content, transaction_id = sys.argv[1:3]
resolution = post("/v1/payouts/qr/resolve", {"content": content}, "resolution_id")
quote = post("/v1/quotes", {"resolution_id": resolution["resolution_id"]}, "source")
# Amounts are strings. Calculate with decimal.Decimal, never with float.
print("price", quote["source"]["amount"], "USDT")
# Store this body before the first request. After a crash, send the stored body.
order = {
    "transaction_id": transaction_id,
    "type": "qr",
    "quote_id": quote["id"],
    "qr": {"content": content},
}
payout = post("/v1/payouts", order, "status")
print(payout["status"], payout["id"])  # After `processing`, an event follows.
