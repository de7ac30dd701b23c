import { bob } from '@quipu/core'
import { memoryQrNetwork } from '@quipu/memory'

let now = new Date('2026-11-21T12:00:00.000Z')
const network = memoryQrNetwork({ now: () => now, lateSeconds: 3 })

const amount = bob(100_00n)
const qr = { amountMode: 'closed', amount, description: 'Almuerzo', scenario: 'late' } as const
const { content } = await network.issue({ ...qr, merchantName: 'Salteñas Doña Elvira' })
const read = await network.readQr(content, AbortSignal.timeout(1_000))
if (read.type === 'refused_qr') throw new Error(read.reason)
const { networkRef, amountMode } = read

const order = { reference: 'po_1', networkRef, content, amountMode, amount, description: null }
const answer = await network.pay(order)
now = new Date(now.getTime() + 3_000)
const later = await network.status(order.reference, networkRef)
console.log(answer.type, later.type)
