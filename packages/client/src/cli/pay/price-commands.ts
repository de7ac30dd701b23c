import { type Command, Option } from 'commander'
import type { SandboxQrRequest } from '../../index.ts'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'
import { printOne } from '../output/print.ts'
import { requireAmount } from './pay.ts'
import { qrContent } from './qr-content.ts'

const scenarios: Readonly<Record<NonNullable<SandboxQrRequest['scenario']>, true>> = {
  paid: true,
  late: true,
  refused: true,
  no_liquidity: true,
  limit: true,
  refused_qr: true,
  lost_answer: true,
  short_quote: true,
}

const resolveExamples = `
Examples:
  quipu resolve MOCK:CLOSED:100.00
  zbarimg --quiet --raw qr.png | quipu resolve -`

const quoteExamples = `
Examples:
  quipu quote --amount 100.00
  quipu quote --qr MOCK:CLOSED:100.00
  quipu quote --resolution qrr_01K6HZ8M00000000000000000A`

const testQrExamples = `
Examples:
  quipu test-qr 100.00
  quipu test-qr 100.00 --scenario refused --json
  quipu test-qr | quipu pay - --amount 100.00 --yes`

type QuoteOptions = CommonOptions & { readonly amount?: string; readonly qr?: string; readonly resolution?: string }

/** `test-qr`, `resolve` and `quote`: all that comes before a payment. */
export function addPriceCommands(program: Command, context: Context): void {
  addTestQr(program, context)
  withConnection(program.command('resolve'))
    .description('Read a QR: its merchant and its amount')
    .argument('<content>', 'the content of the QR, or - to read it from standard input')
    .addHelpText('after', resolveExamples)
    .action(async (given: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      const content = await qrContent(given, context)
      printOne(call, await call.client.payouts.resolveQr({ content }, { signal: context.signal }))
    })
  withConnection(program.command('quote'))
    .description('Ask for a firm price')
    .option('--amount <bob>', 'what the merchant gets; not with a QR that fixes it')
    .option('--qr <content>', 'the QR to read first, or - for standard input')
    .option('--resolution <id>', 'a QR that has been read')
    .addHelpText('after', quoteExamples)
    .action(async ({ amount, qr, resolution, ...options }: QuoteOptions) => {
      if (amount === undefined && qr === undefined && resolution === undefined)
        throw usageError('What is to be quoted? Add --amount, --qr or --resolution.')
      if (qr !== undefined && resolution !== undefined) throw usageError('--qr and --resolution exclude each other.')
      const call = await openCall(options, context)
      const { signal } = context
      const { payouts, quotes } = call.client
      const content = qr === undefined ? undefined : await qrContent(qr, context)
      const read = content === undefined ? undefined : await payouts.resolveQr({ content }, { signal })
      if (read) requireAmount(read, amount)
      const resolution_id = read?.resolution_id ?? resolution
      const target = amount === undefined ? undefined : ({ currency: 'BOB', amount } as const)
      printOne(call, await quotes.create({ resolution_id, target }, { signal }))
    })
}

type TestQrOptions = CommonOptions & { readonly scenario?: SandboxQrRequest['scenario'] }

function addTestQr(program: Command, context: Context): void {
  withConnection(program.command('test-qr'))
    .description('Make a QR to pay, in the sandbox and on the example server: prints its content')
    .argument('[bob]', 'its amount; without one the payer chooses it')
    .addOption(new Option('--scenario <scenario>', 'how a payment of it ends').choices(Object.keys(scenarios)))
    .addHelpText('after', testQrExamples)
    .action(async (amount: string | undefined, { scenario, ...options }: TestQrOptions) => {
      const call = await openCall(options, context)
      const request: SandboxQrRequest =
        amount === undefined ? { amount_mode: 'open', scenario } : { amount_mode: 'closed', amount, scenario }
      const made = await call.client.sandbox.createQrCode(request, { signal: context.signal })
      if (call.json) printOne(call, made)
      else context.terminal.out(`${made.content}\n`)
    })
}
