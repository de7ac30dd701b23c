/** By optional setting: the places that change when it is left out. */
export const apiUnset: Readonly<Record<string, string>> = {
  OPERATOR_ALERT_URL: `alertRelay.1=false; alertRelay.loops.0.alerts=-; alertRelay.loops.1.repeatSeconds=-; httpWebhookSender#1=-;
     httpWebhookSender.0.allowPrivate=false; httpWebhookSender.0.userAgent=-;
     {manageWebhooks,testWebhook}.0.sender=→ httpWebhookSender; signedGateway=-; stores.operatorAlerts.claim=-`,
  QR_NETWORK_IDENTITY: 'httpQrNetwork.0.identity=-',
  WEBHOOK_SECRET_KEY: `{aesSecretBox,httpWebhookSender}#1=-;
     aesSecretBox.0.0.key=b37bfd6682e2ce0ca7f19b2bb750efc0816ac811b78ba59918c421e62900dc94;
     {manageWebhooks,testWebhook,webhookUrlGuard}=-; operatorApp.0.keyIds.webhookSecrets.0=-;
     publicApp.0.webhooks.test=-`,
  TRON_SOLIDITY_NODE_URL: 'tronNode.0.solidUrl=-',
  TRON_API_KEY: 'tronNode.0.apiKey=-',
  AUDIT_CHECKPOINT_KEY: 'operatorApp.1.checkpointKey=-',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'exportTraces.0.endpoint=-',
  SCREENING_TOKEN: 'openScreening.0.token=-',
  DATABASE_REPLICA_URL: 'postgresStores.0.replica.url=-',
  FAUCET_PRIVATE_KEY:
    '{localTransferSigner,requestFaucet,tronBroadcaster}=-; {operatorApp,publicApp}.0.funding.faucet.request=-',
  SWEEP_TREASURY_ADDRESS: `{importSweep,planSweep,tronAddressPath,tronSweepChain}=-; operatorApp.0.sweeping.chain=-;
     operatorApp.0.sweeping.importSigned=-; operatorApp.0.sweeping.pathOf=-; operatorApp.0.sweeping.plan=-;
     operatorApp.0.sweeping.tokenContract=-; tronAddresses#2=-`,
  QR_NETWORK_CALLBACK_SECRET: 'networkCallbacks=-; {operatorApp,publicApp}.0.paying.callbacks=-',
  RATE_MIN: 'compositeRate.0.band.min=1n; rate=+',
  RATE_MAX: 'compositeRate.0.band.max=9999999999n',
}

export const workerUnset: Readonly<Record<string, string>> = {
  QR_NETWORK_IDENTITY: `httpQrNetwork.0.identity=-; stores.networks.meet#1.0=https://qr.example; stores.networks.meet.0=https://qr.example`,
  WEBHOOK_SECRET_KEY: `{aesSecretBox,cachingSecretBox,deadLetterWatch,deadLetters,deliver,enqueueLoop,measuredQueue,measuredSender,
     messageCounter,queueHealth,renewSecrets,sqsWakeQueue,wakeLoop}=-; claimLoop{#4,#5}=-; httpWebhookSender#1=-;
     loop {dead_letters,deliveries_fast,deliveries_slow,delivery_log,delivery_queue,queue_messages,secret_renewal}=-;
     stores.deliveries.enqueue=-; stores.webhooks.listByOtherKeys=-`,
  TRON_SOLIDITY_NODE_URL: 'tronNode{#1,}.0.solidUrl=https://api.first.com',
  TRON_API_KEY: 'tronNode{#1,}.0.apiKey=-',
  AUDIT_CHECKPOINT_KEY: 'auditCheckpoints=-; loop audit_checkpoints=-; stores.audit.list=-',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'exportTraces.0.endpoint=-',
  SCREENING_TOKEN: 'openScreening.0.token=-',
  TRON_VERIFIER_URL: `{checkedNode,measuredNode,tronChainReader,tronNode}#2=-; reconcileChain.0.reader=→ tronChainReader#1;
     settleDeposit.0.verifier=-; tronChainReader#1.0.node=→ checkedNode#1`,
  TRON_VERIFIER_SOLIDITY_URL: 'tronNode#2.0.solidUrl=https://api.second.org',
  TRON_VERIFIER_API_KEY: 'tronNode#2.0.apiKey=-',
  NETWORK_LIQUIDITY_FLOOR_BOB: `{checkLiquidity,liquidityLoop}=-; digestToJson.2.isLiquidityWatched=false; loop network_liquidity=-;
     stores.networks.meet#1=-`,
  OPERATOR_ALERT_URL: `alertRelay.1=false; alertRelay.loops.0.alerts=-; alertRelay.loops.1.repeatSeconds=-; {digestToJson,sendDigest}=-;
     gatewayNoticeSender.0=→ signedGateway; loop operator_digest=-; signedGateway#1=-;
     signedGateway.1.installation.cell=-; signedGateway.1.installation.environment=-;
     signedGateway.1.installation.runbookUrl=-; signedGateway.1.name=the mail gateway;
     signedGateway.1.secret=9368a7d21e018f64ae3327d2f25cd4d7693b2d85328e4bb680bcfcbd4c26b90e;
     signedGateway.1.url=https://mail.example; stores.operatorAlerts.claim=-`,
  TENANT_NOTICE_URL: 'gatewayNoticeSender=-; sendNotice.0.sender=→ logNoticeSender; signedGateway#1=-',
  SQS_QUEUE_URL: `{deadLetterWatch,deadLetters,enqueueLoop,measuredQueue,sqsWakeQueue,wakeLoop}=-;
     loop {dead_letters,delivery_queue,queue_messages}=-; stores.deliveries.claimDue=+; stores.deliveries.enqueue=-`,
  SQS_DEAD_LETTER_URL: '{deadLetterWatch,deadLetters}=-; loop dead_letters=-',
  SQS_ENDPOINT: '{deadLetters,sqsWakeQueue}.0.endpoint=-',
}
