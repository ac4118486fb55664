import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Change } from '../../../kernel/resource/writing.ts'
import { problemsOf } from '../../../kernel/uploads/trial.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { client } from '../client.resource.ts'
import { assessRows, type Assessed } from './assess.ts'
import type { PortionInput } from './portion.ts'

/** Assesses rows and writes those that are good, in the running transaction. */
export async function writeRows(ctx: Ctx, input: PortionInput): Promise<Assessed[]> {
  const assessed = await assessRows(ctx, input)
  const good = assessed.flatMap((one) => (one.change ? [{ one, change: one.change }] : []))
  const changes = good.map(({ change }): Change => change)
  const results = await writeRecords(ctx, client, changes, { source: 'import', onRefusal: 'report', as: 'row' })
  const failures = new Map(good.map(({ one }, index) => [one, results[index]?.failure]))
  return assessed.map((one) => {
    const failure = failures.get(one)
    return failure ? { ...one, verdict: 'refuse', problems: problemsOf(failure) } : one
  })
}
