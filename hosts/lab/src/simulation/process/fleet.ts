import { Unavailable } from '@quipu/core'
import type { World } from '../world/world.ts'
import { type Api, type Process, startApi, startWorker } from './processes.ts'

/** The running processes. */
export type Fleet = {
  readonly apis: Api[]
  readonly workers: Process[]
  /** Workers that were stopped, while what they have begun goes on. */
  readonly stopping: Set<Process>
}

const size = 2

export const startFleet = (world: World): Fleet => ({
  apis: Array.from({ length: size }, () => startApi(world)),
  workers: Array.from({ length: size }, () => startWorker(world)),
  stopping: new Set(),
})

export function replaceApi(world: World, { apis }: Fleet, target: number): void {
  apis[target % size]?.machine.crash()
  apis[target % size] = startApi(world)
}

/** @param isCrash  otherwise its loops end, and what it has claimed goes on beside the new one */
export function replaceWorker(world: World, { workers, stopping }: Fleet, target: number, isCrash: boolean): void {
  const worker = workers[target % size]
  if (isCrash) worker?.machine.crash()
  else if (worker !== undefined) {
    stopping.add(worker)
    void worker.stop().then(() => stopping.delete(worker))
  }
  workers[target % size] = startWorker(world)
}

export const allProcesses = ({ apis, workers }: Fleet): readonly Process[] => [...apis, ...workers]

/** Whether no process runs with other encryption keys than those of this step of a rotation. */
export const allRunAt = (fleet: Fleet, version: number): boolean =>
  [...allProcesses(fleet), ...fleet.stopping].every((each) => each.version === version)

const clientTimeoutMs = 25_000

/**
 * Sends a request to any API process. The request or its answer may be lost, and the process may crash.
 *
 * @throws Unavailable when the client learns nothing
 */
async function request<T>(world: World, fleet: Fleet, act: (api: Api) => Promise<T>): Promise<T> {
  const { loop, conditions, messageMs } = world
  const lose = (): never => {
    throw new Unavailable('store', 'no answer from the API')
  }
  const travel = (): Promise<void> => loop.wait(Math.min(messageMs(), 2_000))
  const api = loop.pick(fleet.apis)
  await travel()
  if (loop.chance(conditions.clientFaults) || !api.isServing()) lose()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const fail = (): void => reject(new Unavailable('store', 'no answer from the API'))
  const cancel = loop.after(clientTimeoutMs, fail)
  api.machine.died.catch(fail)
  api.machine.deliver(() => void act(api).then(resolve, reject))
  const answer = await promise.finally(cancel)
  await travel()
  if (loop.chance(conditions.clientFaults)) lose()
  return answer
}

/** Repeats a request until it is answered, at most six times. @returns undefined when it never was */
export async function answered<T>(world: World, fleet: Fleet, act: (api: Api) => Promise<T>): Promise<T | undefined> {
  const { loop } = world
  for (let tries = 0; tries < 6; tries++) {
    try {
      return await request(world, fleet, act)
    } catch (error) {
      if (!(error instanceof Unavailable)) world.onUnexpected('a request failed', error)
      await loop.wait(200 + loop.random() * 5_000)
    }
  }
  return undefined
}
