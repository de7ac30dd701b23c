<?php
// Receives webhooks: php -S 127.0.0.1:8080 receive.php
$secrets = explode(',', getenv('QUIPU_WEBHOOK_SECRET') ?: ''); // Two during a rotation.
http_response_code(500); // Until the event is stored: a fatal error would answer 200.
if (in_array('', array_map('trim', $secrets), true)) {
    error_log('QUIPU_WEBHOOK_SECRET has an empty secret: anyone can sign with that.');
    exit;
}

function isFromQuipu(array $secrets, string $header, string $body): bool
{
    $fields = array_map(fn($field) => explode('=', $field, 2) + ['', ''], explode(',', $header));
    $valuesOf = fn($name) => array_column(array_filter($fields, fn($f) => $f[0] === $name), 1);
    $times = $valuesOf('t');
    if (count($times) !== 1 || !preg_match('/^\d{1,12}$/D', $times[0]) || abs(time() - (int) $times[0]) > 300) {
        return false;
    }
    foreach ($secrets as $secret) {
        $wanted = hash_hmac('sha256', "$times[0].$body", $secret);
        foreach ($valuesOf('v1') as $given) {
            if (hash_equals($wanted, $given)) {
                return true;
            }
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // The raw bytes.
if (!isFromQuipu($secrets, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
// `x` fails when the file exists. In production: a table, written in the transaction that does the work.
if (@fopen(sys_get_temp_dir() . "/quipu-{$event['id']}", 'x')) {
    file_put_contents('php://stdout', "{$event['type']} {$event['id']}\n");
}
http_response_code(204);
