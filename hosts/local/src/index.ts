export { freePorts, type Ports, portsFrom } from './start/ports.ts'
export { type Local, type LocalOptions, startLocal } from './start/start-local.ts'
export { StartRefusal } from './start/start-refusal.ts'
