import { z } from 'zod'
import { courses, isReply, type Reply } from './replies.ts'
import { hangPoints, operations, type SwitchesPatch } from './switches.ts'

const count = z.int().min(0)
const flag = z.boolean()
const PerOperation = z.partialRecord(z.enum(operations), count)

export const ReplyJson: z.ZodType<Reply> = z.custom<Reply>(
  (value) => typeof value === 'string' && isReply(value),
  'must be a reply',
)

const switches = z.strictObject({
  delay_ms: z.union([count, PerOperation]),
  fail_next: PerOperation,
  drop_answer_next: PerOperation,
  hang_at: z.enum(hangPoints).nullable(),
  down: z.union([flag, z.enum(['refuse', '503'])]),

  reference_at_confirm: z.enum(['new', 'same']),
  status_by: z.enum(['confirm', 'scan', 'both']),
  reading_single_use: flag,
  transaction_id_unique: z.enum(['off', '14', '02', 'replay']),
  unconfirmed_status: z.enum(['PENDIENTE_PAGO', '04']),
  used_qr: z.enum(['at_confirm', '08', '09', '14']),
  closed_amount: z.enum(['refused', 'ignored']),
  account_state: z.enum(['ACTIVA', 'BLOQUEADA', 'SUSPENDIDA', 'CERRADA']),
  later_ms: count,
  status_lag_seconds: count,
  statement_lag_seconds: count,

  token_life_seconds: z.int().min(1),
  token_status: z.union([z.literal(200), z.literal(201)]),
  token_single: flag,
  token_refused: flag,

  ids: z.enum(['string', 'number']),
  amounts: z.enum(['short', 'number', 'string']),
  empty: z.enum(['', 'null', 'absent', 'N/A']),
  renamed: z.record(z.string(), z.string()),
  expiry: z.enum(['dashed', 'compact']),
  times: z.enum(['documented', 'milliseconds', 'seconds']),

  debits_with_transaction_id: flag,
  debits_operation: z.string(),
  debits_unsorted: flag,
  debits_days_max: count,
  commission: z.string().regex(/^\d{1,6}\.\d\d$/, 'must be an amount such as "0.50"'),
  commission_as: z.enum(['part', 'row']),

  reply_next: z.array(
    z.strictObject({
      operation: z.enum(operations).exclude(['token']),
      reply: ReplyJson,
      course: z.enum(courses).optional(),
      later_ms: count.optional(),
      times: z.int().min(1).optional(),
    }),
  ),
})

/** The body that changes switches: absent members keep their value. */
export const SwitchesBody: z.ZodType<SwitchesPatch> = switches.partial()
