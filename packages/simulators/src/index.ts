export { type Damage, damagedBytes, damageKinds } from './damage/damage.ts'
export { networkSignature, type Callback, type CallbackRequest } from './qr-network/callback/callbacks.ts'
export type { Controls, LedgerPayment, LedgerView } from './qr-network/admin/controls.ts'
export type {
  Faults,
  FaultsPatch,
  HangPoint as HoldPoint,
  Operation,
  ReferenceRequests,
} from './qr-network/admin/faults.ts'
export type { IssuedQr, QrRequest } from './qr-network/qr/issue-qr.ts'
export type { SettleRefusal } from './qr-network/ledger/ledger.ts'
export type { NetworkOptions } from './qr-network/network.ts'
export type { PaymentJson } from './qr-network/payment/payment.ts'
export type { SeenRequest } from './control/request-log.ts'
export type { MovementRequest, OpenHubControls, PlannedQrRequest } from './openhub/admin/controls.ts'
export type { OpenHubLedger, OrderView } from './openhub/admin/ledger-view.ts'
export type { State as OpenHubState } from './openhub/ledger/ledger-state.ts'
export { type OpenHubOptions, type OpenHubSimulator, startOpenHub } from './openhub/start-openhub.ts'
export { courses, namedReplies, type Course, type Plan, type Reply } from './openhub/switches/replies.ts'
export type { Switches, SwitchesPatch } from './openhub/switches/switches.ts'
export { sandboxSerialPrefix } from './qr-network/qr/sandbox-key.ts'
export { scenarios, type FinalOutcome, type Outcome, type Scenario } from './qr-network/qr/scenario.ts'
export { startQrNetwork, type QrNetworkOptions, type QrNetworkSimulator } from './qr-network/start-qr-network.ts'
export type { StatementFaults, StatementPage, StatementRow } from './qr-network/payment/statement.ts'
export type { Counts as SqsProxyCounts } from './sqs-proxy/faults.ts'
export { type SqsProxy, type SqsProxyOptions, startSqsProxy } from './sqs-proxy/start-sqs-proxy.ts'
export type { RefusalCode } from './tron-devnet/chain/admission.ts'
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
} from './tron-devnet/admin/controls.ts'
export type { DevnetOptions } from './tron-devnet/devnet.ts'
export type { Fault, FaultEffect as Mishap } from './tron-devnet/node/faults.ts'
export type { Node as TronNode, NodeOptions, SeenRequest as SeenNodeRequest } from './tron-devnet/node/node.ts'
export type { TransactionResult } from './tron-devnet/transaction/script.ts'
export { startTronDevnet, type TronDevnet, type TronDevnetOptions } from './tron-devnet/start-tron-devnet.ts'
