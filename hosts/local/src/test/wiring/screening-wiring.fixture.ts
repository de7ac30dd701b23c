import { fileURLToPath } from 'node:url'
import type { Row } from './wiring.fixture.ts'

const sandboxList = fileURLToPath(new URL('../../../screening-list.csv', import.meta.url))

/** A file opens what the provider had opened. */
const screeningRows = (opened: string): Readonly<Record<string, Row>> => ({
  SCREENING_FILE: [
    [{ SCREENING_URL: null, SCREENING_TOKEN: null }, { SCREENING_FILE: sandboxList }],
    `openScreening.0.file; openScreening.end=true; {measuredScreening,screenSubjects}=+; ${opened}`,
  ],
  SCREENING_URL: ['https://other.example', 'openScreening.0.url'],
  SCREENING_TOKEN: ['another token', 'openScreening.0.token'],
  SCREENING_TIMEOUT_MS: ['1999', 'openScreening.0.timeoutMs'],
  SCREENING_CLEAR_SECONDS: ['299', 'screenSubjects.1.clearSeconds'],
})

/** The rows of screening's settings in the API. */
export const apiScreeningRows: Readonly<Record<string, Row>> = screeningRows(
  '{createPayout,manageTenants,resolveQr}.0.screen=→ screenSubjects',
)

/** The rows of screening's settings in the worker. */
export const workerScreeningRows: Readonly<Record<string, Row>> = screeningRows(
  `doDaily#2=+; doDaily#1.1.dueSeconds=0; doDaily#1.1.missedDays=0; doDaily#1.1.task=screening_tenants;
   {endOutages,screenAllTenants}=+; loop {screening_outages,screening_tenants}=+;
   settleDeposit.0.screen=→ screenSubjects; stores.tenants.list=+`,
)
