import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PayoutsApi;
import org.openapitools.client.api.QuotesApi;
import org.openapitools.client.model.*;

class Pay {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(System.getenv("QUIPU_API_URL"));
        client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("QUIPU_API_KEY")));
        var payouts = new PayoutsApi(client);
        var content = "MOCK:CLOSED:100.00";
        var resolution = payouts.resolveQr(new ResolveRequest().content(content));
        var quote = new QuotesApi(client).createQuote(new QuoteRequest().resolutionId(resolution.getResolutionId()));
        var order = new QrPayoutRequest().transactionId("generated").type(QrPayoutRequest.TypeEnum.QR)
            .quoteId(quote.getId()).qr(new QrPayoutRequestQr().content(content));
        var payout = payouts.createPayout(new PayoutRequest(order));
        System.out.println(payout.getStatus() + " " + payout.getTransactionId());
    }
}
