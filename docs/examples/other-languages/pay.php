<?php
// Pays a QR once: php pay.php <content of the QR> <your id of the payment>
define('URL', getenv('QUIPU_API_URL') ?: 'http://127.0.0.1:4002');
define('KEY', getenv('QUIPU_API_KEY') ?: 'qpu_mock_php');

/** Sends the same bytes again until an answer of Quipu says what became of them. */
function post(string $path, array $body, string $member): array
{
    $http = [
        'method' => 'POST',
        'header' => ['X-API-Key: ' . KEY, 'Content-Type: application/json'],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'ignore_errors' => true, // Read the body of an error, too.
    ];
    for ($attempt = 0; $attempt < 8; $attempt++) {
        $wait = min(2 ** $attempt, 30);
        // No stream: a timeout or a lost connection.
        $stream = @fopen(URL . $path, 'r', false, stream_context_create(['http' => $http]));
        if ($stream) {
            $text = stream_get_contents($stream);
            $lines = stream_get_meta_data($stream)['wrapper_data'];
            $status = (int) explode(' ', $lines[0])[1];
            $answer = json_decode($text, true);
            if ($status < 300 && isset($answer[$member])) {
                return $answer;
            }
            if ($status >= 400 && $status < 500 && $status !== 408 && $status !== 429) {
                fwrite(STDERR, "$status $text\n");
                exit(1);
            }
            foreach (preg_grep('/^Retry-After: *[0-9]{1,4}$/Di', $lines) as $line) { // Seconds; it may be a date.
                $wait = (int) explode(':', $line)[1];
            }
        }
        sleep($wait); // The payment may be under way.
    }
    fwrite(STDERR, "The outcome is unknown: send the same body again later.\n");
    exit(1);
}

[, $content, $transactionId] = $argv;
$resolution = post('/v1/payouts/qr/resolve', ['content' => $content], 'resolution_id');
$quote = post('/v1/quotes', ['resolution_id' => $resolution['resolution_id']], 'source');
// Amounts are strings. Calculate with bcmath, never with float.
echo "price {$quote['source']['amount']} USDT\n";
// Store this body before the first request. After a crash, send the stored body.
$order = [
    'transaction_id' => $transactionId,
    'type' => 'qr',
    'quote_id' => $quote['id'],
    'qr' => ['content' => $content],
];
$payout = post('/v1/payouts', $order, 'status');
echo "{$payout['status']} {$payout['id']}\n"; // After `processing`, an event follows.
