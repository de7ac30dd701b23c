import { parseModel, readModel, traces } from '../../quint.fixture.ts'
import { type Draw, replayTrace } from '../replay-model.fixture.ts'
import { failOverReplay, type WrapPayouts } from './fail-over-replay.fixture.ts'
import { namedSteps } from './named-steps.fixture.ts'

/**
 * Replays random traces of `fail-over.qnt` by the real use cases.
 *
 * @returns how often each step was taken
 * @throws Error with the steps of the trace up to the one that the code took otherwise
 */
export async function replayFailOver(
  draw: Draw,
  wrap?: WrapPayouts,
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number>()
  for (const trace of traces(parseModel(await readModel('failOver'), 'failOver'), draw))
    await replayTrace(namedSteps(trace), await failOverReplay(wrap), taken)
  return taken
}
