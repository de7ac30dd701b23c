import { z } from 'zod'
import type { Call } from '../../json-server.ts'
import type { QrCode } from '../../qr-network/qr/qr-code.ts'
import { amount, date, id, text, type Members } from '../formats.ts'
import type { Hub } from '../hub.ts'
import { replyTo } from '../plan.ts'
import { CodeRefusal, type Result } from '../route.ts'
import { recipientOf } from './recipient.ts'

const ScanRequest = z.strictObject({ imagen: z.string().trim().min(1).max(500) })

/** Reads a QR; every reading has a reference of its own. */
export async function scan(hub: Hub, { body }: Call): Promise<Result> {
  const { codec, ledger, switches } = hub
  const request = ScanRequest.safeParse(body)
  if (!request.success) throw new CodeRefusal('02', "El campo 'imagen' no es válido", 400)
  const content = request.data.imagen
  await switches.gate.enter('before_reading', content)
  const code = codec.decode(content)
  if (!code) throw new CodeRefusal('09', 'El QR no es válido.')
  checkExpiry(hub, code)
  if (code.currency !== 'BOB') throw new CodeRefusal('10', 'La moneda del QR no es válida.')
  const { used_qr } = switches.current()
  if (code.scenario === 'used' && used_qr !== 'at_confirm') throw new CodeRefusal(used_qr, 'El QR ya fue utilizado.')
  const { reference } = ledger.read(content)
  return { data: readMembers(reference, code), reply: replyTo(hub, 'scan', content) }
}

export function checkExpiry({ timers }: Hub, { expiresAt }: QrCode): void {
  if (expiresAt <= timers.now()) throw new CodeRefusal('08', 'El QR ha expirado.')
}

const readMembers = (reference: string, code: QrCode): Members => ({
  importe: amount(code.amount ?? 0n),
  moneda: text(code.currency),
  glosa: text(code.description ?? ''),
  numeroReferencia: id(reference),
  ...recipientOf(code.merchant),
  fechaVencimiento: date(code.expiresAt),
})
