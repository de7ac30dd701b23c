export { networkSignature, type Callback, type CallbackRequest } from './qr-network/callbacks.ts'
export type { Controls, LedgerPayment, LedgerView } from './qr-network/controls.ts'
export type { Faults, FaultsPatch } from './qr-network/faults.ts'
export type { HoldPoint } from './qr-network/gate.ts'
export type { IssuedQr, QrRequest } from './qr-network/issue-qr.ts'
export type { SettleRefusal } from './qr-network/ledger.ts'
export type { NetworkOptions } from './qr-network/network.ts'
export type { PaymentJson } from './qr-network/payment.ts'
export type { Operation, ReferenceRequests, SeenRequest } from './qr-network/request-log.ts'
export { sandboxSerialPrefix } from './qr-network/sandbox-key.ts'
export { scenarios, type FinalOutcome, type Outcome, type Scenario } from './qr-network/scenario.ts'
export {
  startQrNetwork,
  type QrNetworkOptions,
  type QrNetworkSimulator,
} from './qr-network/start-qr-network.ts'
export type { StatementFaults, StatementPage, StatementRow } from './qr-network/statement.ts'
export type { Counts as SqsProxyCounts } from './sqs-proxy/faults.ts'
export { type SqsProxy, type SqsProxyOptions, startSqsProxy } from './sqs-proxy/start-sqs-proxy.ts'
export type { RefusalCode } from './tron-devnet/admission.ts'
export type {
  BlockRef,
  CallAs,
  ChainControls,
  ChainTransfer,
  ForkRequest,
  Level,
  ScriptedLog,
  ScriptRequest,
  TransferRequest,
} from './tron-devnet/controls.ts'
export type { DevnetOptions } from './tron-devnet/devnet.ts'
export type { Fault, Mishap } from './tron-devnet/faults.ts'
export type {
  Node as TronNode,
  NodeOptions,
  SeenRequest as SeenNodeRequest,
} from './tron-devnet/node.ts'
export type { TransactionResult } from './tron-devnet/script.ts'
export {
  startTronDevnet,
  type TronDevnet,
  type TronDevnetOptions,
} from './tron-devnet/start-tron-devnet.ts'
