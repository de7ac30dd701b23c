/** The variables that the API and the worker are both given. */
export const sharedVariables = {
  QR_NETWORK_IDENTITY: 'account-1',
  DATABASE_URL: 'postgres://quipu_app@127.0.0.1:1/quipu',
  QR_NETWORK_URL: 'https://qr.example',
  QR_NETWORK_TOKEN: 'the token of the network',
  TRON_NODE_URL: 'https://api.first.com',
  TRON_TOKEN_CONTRACT: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
  TRON_GENESIS_BLOCK: 'shasta',
  ADDRESS_MAC_KEY: '348a629f5ceed032c3e8706ec47d9bfafb00fb4250b018dd965435ca50cb836e',
  WEBHOOK_SECRET_KEY: '26f8567f2569182294c3fa5b9f9cb2270b554eef628b4c149cf82a42888ff4ae',
  TRON_XPUB:
    'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX',
  TRON_SOLIDITY_NODE_URL: 'https://solid.first.com',
  TRON_API_KEY: 'first-key',
  AUDIT_CHECKPOINT_KEY: 'b81f37a043a6f767e7c94d105f4bd31282f3ecc20680bb9d09bd93461cf4c863',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example',
}
