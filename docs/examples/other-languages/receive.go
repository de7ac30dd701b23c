// Receives webhooks: go run receive.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Two during a rotation.
var secrets = strings.Split(os.Getenv("QUIPU_WEBHOOK_SECRET"), ",")

// In production: a table, written in the transaction that does the work.
var taken sync.Map

func isFromQuipu(header string, body []byte) bool {
	var times, given []string
	for _, field := range strings.Split(header, ",") {
		if name, value, _ := strings.Cut(field, "="); name == "t" {
			times = append(times, value)
		} else if name == "v1" {
			given = append(given, value)
		}
	}
	if len(times) != 1 {
		return false
	}
	seconds, err := strconv.ParseUint(times[0], 10, 40)
	if err != nil || time.Since(time.Unix(int64(seconds), 0)).Abs() > 300*time.Second {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(times[0] + "."))
		mac.Write(body)
		wanted := []byte(hex.EncodeToString(mac.Sum(nil)))
		for _, one := range given {
			if hmac.Equal(wanted, []byte(one)) {
				return true
			}
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20)) // The raw bytes.
	if err != nil || !isFromQuipu(request.Header.Get("X-Service-Signature"), body) {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	var event struct{ ID, Type string }
	if err := json.Unmarshal(body, &event); err != nil {
		log.Fatal(err)
	}
	if _, isKnown := taken.LoadOrStore(event.ID, true); !isKnown {
		fmt.Println(event.Type, event.ID)
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			log.Fatal("QUIPU_WEBHOOK_SECRET has an empty secret: anyone can sign with that.")
		}
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
