// Pays a QR once: go run pay.go <content of the QR> <your id of the payment>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

var client = &http.Client{Timeout: 30 * time.Second}

type answer struct {
	ID           string `json:"id"`
	Status       string `json:"status"`
	ResolutionID string `json:"resolution_id"`
	// Amounts are strings. Calculate with math/big, never with float64.
	Source struct{ Amount string } `json:"source"`
}

// post sends the same bytes again until an answer of Quipu says what became of them.
func post(path string, body any, member string) (found answer) {
	data, err := json.Marshal(body)
	check(err)
	for attempt := 0; attempt < 8; attempt++ {
		request, err := http.NewRequest("POST", env("QUIPU_API_URL", "http://127.0.0.1:4002")+path, bytes.NewReader(data))
		check(err)
		request.Header.Set("X-API-Key", env("QUIPU_API_KEY", "qpu_mock_go"))
		request.Header.Set("Content-Type", "application/json")
		wait := 1 << attempt
		// An error is a timeout or a lost connection.
		if response, err := client.Do(request); err == nil {
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			status := response.StatusCode
			var members map[string]any
			if status < 300 && err == nil && json.Unmarshal(text, &members) == nil && members[member] != nil {
				check(json.Unmarshal(text, &found))
				return found
			} else if status >= 400 && status < 500 && status != 408 && status != 429 {
				log.Fatalf("%d %s", status, text)
			}
			// Seconds; it may be a date.
			if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 13); err == nil {
				wait = int(seconds)
			}
		}
		time.Sleep(time.Duration(wait) * time.Second) // The payment may be under way.
	}
	log.Fatal("The outcome is unknown: send the same body again later.")
	return
}

func main() {
	content, transactionID := os.Args[1], os.Args[2]
	resolution := post("/v1/payouts/qr/resolve", map[string]any{"content": content}, "resolution_id")
	quote := post("/v1/quotes", map[string]any{"resolution_id": resolution.ResolutionID}, "source")
	fmt.Println("price", quote.Source.Amount, "USDT")
	// Store this body before the first request. After a crash, send the stored body.
	order := map[string]any{
		"transaction_id": transactionID,
		"type":           "qr",
		"quote_id":       quote.ID,
		"qr":             map[string]any{"content": content},
	}
	payout := post("/v1/payouts", order, "status")
	fmt.Println(payout.Status, payout.ID) // After `processing`, an event follows.
}

func env(name, byDefault string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return byDefault
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
