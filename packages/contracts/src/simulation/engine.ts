/**
 * The engine of simulations: virtual time, machines that crash at any await, and external systems with faults.
 *
 * @module @quipu/contracts/simulation
 */
export { accountOf, testAddresses } from '../fixtures/deposit/addresses.ts'
export { signatureOf, unsignedTransfer } from '../fixtures/sweep/sweep-chain.ts'
export type { ScriptedChain, Tx } from '../fixtures/deposit/scripted-chain.ts'
export { type EventLoop, eventLoop, mulberry32 } from './event-loop.ts'
export { type Machine, simulatedMachine } from './machine.ts'
export { chainNodes, type Nodes } from './deposit/faulty-nodes.ts'
export { type ForkingChain, forkingChain } from './deposit/forking-chain.ts'
export { type PaymentKind, paymentKinds, type PaymentScenario } from './deposit/scenario.ts'
export { type NetworkLink, networkLink } from './payout/network-link.ts'
export { type NetworkWithoutCancel, networkWithoutCancel } from './payout/network-without-cancel.ts'
export { payoutEnds } from './payout-ends.ts'
