import os, sys
import openapi_client as quipu

configuration = quipu.Configuration(host=os.environ["QUIPU_API_URL"])
with quipu.ApiClient(configuration, "X-API-Key", os.environ["QUIPU_API_KEY"]) as client:
    payouts, content = quipu.PayoutsApi(client), "MOCK:CLOSED:100.00"
    resolution = payouts.resolve_qr(quipu.ResolveRequest(content=content))
    quote = quipu.QuotesApi(client).create_quote(quipu.QuoteRequest(resolution_id=resolution.resolution_id))
    order = quipu.QrPayoutRequest(transaction_id="generated", type="qr", quote_id=quote.id, qr={"content": content})
    payout = payouts.create_payout(quipu.PayoutRequest(order))
    print(payout.status, payout.transaction_id)
