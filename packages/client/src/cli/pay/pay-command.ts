import type { Command } from 'commander'
import { openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { pay, type PayOptions } from './pay.ts'
import { qrContent } from './qr-content.ts'

const notes = `
One transaction id is one payment: a command that is repeated with the same --transaction-id pays at most once, also
after a lost answer, and shows the payout that there is. With another QR, amount or description it pays nothing and ends
with 1.

Examples:
  quipu pay MOCK:CLOSED:100.00
  quipu pay MOCK:OPEN --amount 25.00 --transaction-id order-1
  zbarimg --quiet --raw qr.png | quipu pay - --yes --json`

/** `pay` reads a QR, shows its price, asks, and pays. */
export function addPayCommand(program: Command, context: Context): void {
  withConnection(program.command('pay'))
    .summary('Pay a QR, after showing its price')
    .description('Read a QR, ask for its price, show both, and pay when you agree. Waits until the payment has ended.')
    .argument('<content>', 'the content of the QR, or - to read it from standard input')
    .option('--amount <bob>', 'what the merchant gets; not with a QR that fixes it')
    .option('--transaction-id <id>', 'your id of the payment; default: a new one')
    .option('--description <text>', 'sent with the payment when the QR has none')
    .option('--yes', 'pay without asking')
    .addHelpText('after', notes)
    .action(async (given: string, options: PayOptions) => {
      const call = await openCall(options, context)
      await pay(call, await qrContent(given, context), options)
    })
}
