import { Session, type Profiler } from 'node:inspector/promises'

let started: Promise<Session> | undefined

/** Begins to count; what was compiled before is not counted well, so call it before the code under test has run. */
export function startCounting(): Promise<Session> {
  return (started ??= begin())
}

async function begin(): Promise<Session> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/**
 * How often the blocks (functions, loops, branches) of the files whose address contains one of `parts` ran while `run`
 * did: work that does not depend on how fast the machine is. What native code does within one call counts as one.
 */
export async function countSteps(parts: readonly string[], run: () => void): Promise<number> {
  const session = await startCounting()
  await session.post('Profiler.takePreciseCoverage')
  run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result.filter(({ url }) => parts.some((part) => url.includes(part))).reduce((sum, script) => sum + stepsOf(script), 0)
}

const stepsOf = ({ functions }: Profiler.ScriptCoverage) =>
  functions.reduce((sum, { ranges }) => sum + ranges.reduce((all, { count }) => all + count, 0), 0)
