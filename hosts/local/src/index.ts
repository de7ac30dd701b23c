export { freePorts, type Ports, portsFrom } from './ports.ts'
export { type Local, type LocalOptions, startLocal } from './start-local.ts'
export { StartRefusal } from './start-refusal.ts'
