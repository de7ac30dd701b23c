import { ApiSettings } from '@quipu/api'
import {
  alertRows,
  basicTokenRow,
  openHubChange,
  openHubRows,
  production,
  sharedPorts,
  sharedRows,
  exposureRow,
  rateRows,
  sharedVariables,
} from './shared-variables.fixture.ts'
import { apiScreeningRows } from './screening-wiring.fixture.ts'
import { signInRows, signInVariables } from './sign-in-wiring.fixture.ts'
import type { Wiring } from './wiring.fixture.ts'

export const apiWiring: Wiring = {
  program: ['hosts/api/src/run-api.ts'],
  schema: ApiSettings,
  base: {
    ...sharedVariables,
    DATABASE_REPLICA_URL: 'postgres://quipu_app@127.0.0.1:3/quipu',
    RATE_SOURCE: 'composite',
    RATE_SOURCES:
      '[{"url": "https://a.example/", "bid_path": "bid"}, {"url": "https://b.example/", "bid_path": "bid"}]',
    FAUCET_PRIVATE_KEY: 'f40b4c5241c68cafc72d75eadd9c97ee34720f9ed199e8cbe5d669bcea597587',
    SWEEP_TREASURY_ADDRESS: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    QR_NETWORK_CALLBACK_SECRET: 'f2579d976934c7888785842d8e5a48a140453222e5dbca50d5a1226cd63a8dc7',
    RATE_MIN: '8',
    RATE_MAX: '12',
    ...signInVariables,
  },
  rows: {
    ...apiScreeningRows,
    ...sharedRows,
    ...openHubRows(),
    ...alertRows,
    QR_NETWORK: [
      openHubChange,
      `{httpQrNetwork,httpSandboxQrIssuer,networkCallbacks}=-; measuredNetwork.1; measuredNetwork.2=→ openHub;
       openHub=+; {operatorApp,publicApp}.0.paying.callbacks=-; {operatorApp,publicApp}.0.paying.sandboxQrs=-`,
    ],
    OPENHUB_BASIC_TOKEN: basicTokenRow,
    OPENHUB_SANDBOX_QR_URL: [
      [openHubChange[1], { OPENHUB_SANDBOX_QR_URL: 'https://qrs.example' }],
      'httpSandboxQrIssuer=+; {operatorApp,publicApp}.0.paying.sandboxQrs=→ httpSandboxQrIssuer',
    ],
    CELL: ['g', 'cellIds=+; refuseUnfitDatabase.0.cell; signedGateway.1.installation.cell'],
    QR_NETWORK_IDENTITY: ['account-2', 'httpQrNetwork.0.identity'],
    DATABASE_URL: '{refuseUnfitDatabase,postgresStores}.0.url',
    DATABASE_REPLICA_URL: ['postgres://quipu_app@127.0.0.1:4/quipu', 'postgresStores.0.replica.url'],
    QR_NETWORK_URL: ['https://other.example', '{httpQrNetwork,httpSandboxQrIssuer}.0.url'],
    QR_NETWORK_TOKEN: ['another token', '{httpQrNetwork,httpSandboxQrIssuer}.0.token'],
    TRON_NODE_URL: ['https://other.example', 'tronNode.0.url'],
    TRON_TOKEN_CONTRACT: `localTransferSigner{,#1}.0.tokenContract; {tronChainReader,tronBroadcaster,tronSweepChain}.0.tokenContract;
       checkedNode.1.tokenContract; operatorApp.0.sweeping.tokenContract`,
    TRON_GENESIS_BLOCK: 'checkedNode.1.genesisBlockId=0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
    ADDRESS_MAC_KEY: 'ensureTopUpAddress.0.addressMacKeys.0.key; findFaults.0.runMacKeys.0.key',
    TRON_XPUB: 'tronAddresses{,#1,#2}.0; tronAddressPath.0',
    TRON_SOLIDITY_NODE_URL: ['https://other.example', 'tronNode.0.solidUrl'],
    TRON_API_KEY: ['other-key', 'tronNode.0.apiKey'],
    TRON_REQUESTS_PER_SECOND: ['11', 'tronNode.0.requestsPerSecond'],
    TRON_TIMEOUT_SECONDS: ['6', 'tronNode.0.timeoutMs=6000'],
    TRON_ANSWER_MIB: ['65', 'tronNode.0.answerBytesMax=68157440'],
    DEPOSIT_MINIMUM: ['2', 'publicApp.1.automaticCredits.minimumAmount.minor=2000000n'],
    DEPOSIT_AUTO_LIMIT: ['99', 'publicApp.1.automaticCredits.maximumAmount.minor=99000000n'],
    AUDIT_CHECKPOINT_KEY: 'operatorApp.1.checkpointKey',
    NETWORK_LIQUIDITY_FLOOR_BOB: `operatorApp.1.isLiquidityWatched=true; operatorApp.0.reporting.floor.currency=BOB;
       operatorApp.0.reporting.floor.minor=100n; operatorApp.0.reporting.floor=-`,
    EXPOSURE_LIMIT_USDT: exposureRow,
    ...signInRows,
    RECONCILIATION_SETTLE_SECONDS: 'requestReconciliation.1.settleSeconds',
    WEBHOOK_HEADER_PREFIX: `testWebhook.1; signedGateway.1.headerPrefix; publicOpenApi.0.webhookHeaderPrefix;
       referencePage.1.words.X-Service-`,
    WEBHOOK_SOURCE_ADDRESSES:
      'publicOpenApi.0.webhookSources.0=192.0.2.1; publicOpenApi.0.webhookSources.1=2001:db8::/32',
    WEBHOOK_ALLOW_PRIVATE: ['true', 'httpWebhookSender#1.0.allowPrivate; webhookUrlGuard.0.allowPrivate'],
    WEBHOOK_ATTEMPTS: ['9', 'publicOpenApi.0.limits.retries.attempts'],
    WEBHOOK_MAX_DELAY_SECONDS: ['3599', 'publicOpenApi.0.limits.retries.maxDelaySeconds'],
    PROCESS_MISSING_SECONDS: ['31', 'findFaults.1.processMissingSeconds; processesMetrics.2'],
    REQUEST_LEASE_SECONDS: `httpQrNetwork.0.statusTimeoutMs=12000; {resolveQr,createPayout,operatePayouts}.1.leaseSeconds;
       {resolveQr,createPayout}.1.renewEveryMs=6000`,
    STOP_WITHIN_MS: ['29000', 'listener.stop.0; listener.stop#1.0; settled.0; withTimeout#1.1'],
    ENVIRONMENT: [
      [{}, production],
      `signedGateway.1.installation.environment;
       {localTransferSigner,httpSandboxQrIssuer,tronBroadcaster,requestFaucet}=-;
       refuseUnfitDatabase.0.isProduction=true; {authenticate,manageApiKeys}.1=live; manageTenants.1.unapprovedLimits=-;
       {resolveQr,createPayout,operatorApp}.1.environment;
       checkedNode.1.genesisBlockId=00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc;
       {publicApp,operatorApp}.0.paying.createPayout=→ createPayout;
       {publicApp,operatorApp}.0.paying.sandboxQrs=-; {publicApp,operatorApp}.0.funding.faucet.request=-;
       publicApp.1.rateLimits.reads=100; publicApp.1.rateLimits.writes=100; publicApp.1.keyKind=live;
       publicOpenApi.0.environment; manageTenants.1.unapprovedLimits.paymentCap.currency=BOB;
       manageTenants.1.unapprovedLimits.paymentCap.minor=5000000n;
       manageTenants.1.unapprovedLimits.amount.currency=USDT; manageTenants.1.unapprovedLimits.amount.minor=0n`,
    ],
    DEPOSITS_BEHIND_SECONDS: ['999', 'findFaults.1.depositsBehindSeconds'],
    HOST: ['127.0.0.2', 'listen.1.host'],
    PORT: ['4100', 'listen.1.port'],
    OPERATOR_HOST: ['127.0.0.3', 'listen#1.1.host'],
    OPERATOR_PORT: ['4101', 'listen#1.1.port'],
    QR_NETWORK_CALLBACK_SECRET: 'networkCallbacks.0.secret',
    DRAIN_SECONDS: ['6', 'drain.0.seconds'],
    QUOTE_LIFE_SECONDS: ['61', 'createQuote.1.lifeSeconds'],
    ANSWER_WITHIN_MS: ['21000', '{resolveQr,createPayout}.1.answerWithinMs=20475; publicApp.1.requestDeadlineMs'],
    RESOLUTION_FRESH_SECONDS: ['61', '{resolveQr,createPayout}.1.resolutionFreshSeconds'],
    DEFAULT_DESCRIPTION: ['Other', '{resolveQr,createPayout}.1.defaultDescription'],
    RATE_LIMIT_READS: ['7', 'publicApp.1.rateLimits.reads'],
    RATE_LIMIT_WRITES: ['8', 'publicApp.1.rateLimits.writes'],
    RATE_LIMIT_FAILED_KEYS: ['9', 'publicApp.1.rateLimits.failedKeys.perSecond; operatorApp.1.failedTokens.perSecond'],
    RATE_LIMIT_IPV6_PREFIX:
      'publicApp.1.rateLimits.failedKeys.ipv6PrefixBits; operatorApp.1.failedTokens.ipv6PrefixBits',
    TRUSTED_PROXIES: ['1', '{publicApp,operatorApp}.1.trustedProxies'],
    FAUCET_SHARED_LIMIT: ['9000', 'requestFaucet.1.limits.shared.minor=9000000000n'],
    EXAMPLE_URL: `referencePage.1.servers.1.name=Example server; referencePage.1.servers.1.url;
       referencePage.1.servers.1.freeKeyPrefix=qpu_mock_`,
    DOCS_URL: ['https://docs.example', 'publicApp.1.docsUrl; listen.2'],
    OPERATOR_DOCS_URL: ['https://docs.example', 'operatorApp.1.docsUrl; listen#1.2'],
    APPROVAL_LIMIT_USDT: ['1', '{manageOperatorTokens,manageProposals}.1.approvalLimit.minor=1000000n'],
    PROPOSAL_LIFE_SECONDS:
      '{manageTenants,manageOperatorTokens,manageProposals,stopPayouts}.1.approvableSeconds; manageApiKeys.2.approvableSeconds',
    DEFAULT_MARGIN_BPS: ['151', 'manageTenants.1.defaultMarginBps'],
    NETWORK_CATCH_UP_PER_SECOND: ['6', 'operatePayouts.1.catchUpPerSecond'],
    SCAN_BEHIND_SECONDS: ['301', 'findFaults.1.scanBehindSeconds'],
    LEDGER_UNCHECKED_SECONDS: ['302', 'findFaults.1.ledgerUncheckedSeconds'],
    OPERATOR_RUNBOOK_URL: ['https://other.example', 'signedGateway.1.installation.runbookUrl'],
    REVIEW_WAIT_SECONDS: ['61', 'findFaults.1.reviewSeconds'],
    REVIEW_ALERT_USDT: ['7.000000', 'findFaults.1.reviewMicroUsdt=7000000n'],
    NOTICES_BEHIND_SECONDS: ['303', 'findFaults.1.noticesBehindSeconds'],
    RATE_FAULT_SECONDS: `{faultWatch,faultAlerts}.1.RATE_SOURCE_FAILED; {faultWatch,faultAlerts}.1.RATE_SOURCES_DISAGREE;
       {faultWatch,faultAlerts}.1.RATE_UNAVAILABLE`,
    ...rateRows,
    RATE_MIN: ['9', 'compositeRate.0.band.min=90000n'],
    RATE_MAX: ['11', 'compositeRate.0.band.max=110000n'],
    FAUCET_PRIVATE_KEY: 'localTransferSigner{,#1}.0.privateKey',
    SWEEP_TREASURY_ADDRESS:
      'planSweep.1.treasury.account=5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb; planSweep.1.treasury.address',
    SWEEP_EXPIRES_HOURS: ['13', 'planSweep.1.expiresAfterSeconds=46800'],
  },
  loops: 'database_watch heartbeats fault_watch rate_limits request_log second_factor_renewal'.split(' '),
  ports: {
    ...sharedPorts,
    guardedNetwork: '{hintPayout,resolveQr,createPayout,operatePayouts}.0.network',
    compositeRate: 'watchedRates.0',
    watchedRates: '{createQuote,manageQuoting,readExposure}.0.rates; guardedPayouts.1',
    guardedPayouts: 'createPayout.0.payouts',
    screenSubjects: '{manageTenants,createPayout,resolveQr}.0.screen',
    measuredDatabase: '{publicApp,operatorApp}.0.stores',
    'httpWebhookSender#1': '{manageWebhooks,testWebhook}.0.sender',
    publicApp: 'listen.0',
    operatorApp: 'listen#1.0',
  },
}
