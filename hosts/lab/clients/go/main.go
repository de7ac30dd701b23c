package main

import (
	"context"
	"fmt"
	"os"

	quipu "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := quipu.NewConfiguration()
	configuration.Servers = quipu.ServerConfigurations{{URL: os.Getenv("QUIPU_API_URL")}}
	configuration.AddDefaultHeader("X-API-Key", os.Getenv("QUIPU_API_KEY"))
	client, ctx, content := quipu.NewAPIClient(configuration), context.Background(), "MOCK:CLOSED:100.00"
	resolution, _, err := client.PayoutsAPI.ResolveQr(ctx).ResolveRequest(*quipu.NewResolveRequest(content)).Execute()
	check(err)
	asked := quipu.NewQuoteRequest()
	asked.SetResolutionId(resolution.ResolutionId)
	quote, _, err := client.QuotesAPI.CreateQuote(ctx).QuoteRequest(*asked).Execute()
	check(err)
	qr := quipu.NewQrPayoutRequestQr(content)
	order := quipu.NewQrPayoutRequest("generated", "qr", quote.Id, *qr)
	request := quipu.QrPayoutRequestAsPayoutRequest(order)
	payout, _, err := client.PayoutsAPI.CreatePayout(ctx).PayoutRequest(request).Execute()
	check(err)
	fmt.Println(payout.Status, payout.TransactionId)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
