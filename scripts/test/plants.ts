/** A mistake that the tests of the sync must find: in `file`, each first text is replaced by the second. */
export interface Plant {
  mistake: string
  file: string
  texts: readonly (readonly [string, string])[]
  /** The test that must fail by its file and title, and how often it may be run with other draws until it does. */
  project: 'unit' | 'doors'
  tests: string
  title: string
  tries: number
}

const [loop, store] = ['apps/console/src/offline/sync', 'apps/console/src/offline/store']
const stream = 'apps/server/src/kernel/sync/stream.ts'
const model = { project: 'unit', tests: `${loop}/loop.test.ts`, title: 'loses nothing, does nothing twice', tries: 1 } as const
const taken = (changes: string) =>
  `await ports.store.applyVerdicts(${changes}.map(({ changeId }) => ({ changeId, status: 'applied' as const })))`

/**
 * The mistakes that other products made (sync.md B, "test the tests", and its first chapter), each planted where it would be made here.
 * `npm test -- --only planted` runs them all.
 */
export const plants: readonly Plant[] = [
  {
    mistake: 'numbers are given without a lock, so a reader passes what commits later',
    file: stream,
    texts: [
      [`select "seq"::float8 as seq, set_config`, `select pg_current_xact_id()::text::float8 * 1000 as seq, set_config`],
      [`where "companyId" = \${ctx.company.id} for update\``, `where "companyId" = \${ctx.company.id}\``],
      [`update sync_stream set "seq" = \${pending.seq}`, `update sync_stream set "seq" = greatest("seq", \${pending.seq})`],
    ],
    project: 'doors',
    tests: 'tests/faults/commit-order.test.ts',
    title: 'pulling clients miss none of',
    tries: 3,
  },
  {
    mistake: 'receipts are written after the commit of what they are for',
    file: stream,
    texts: [
      [
        'if (!ctx.isTransaction) return ctx.transaction((inner) => withStream(inner, run))',
        `if (!ctx.isTransaction) {
    const done = await ctx.transaction((inner) => withStream(inner, run))
    for (const one of late.splice(0)) await ctx.transaction((inner) => flush(inner, one))
    return done
  }`,
      ],
      [
        'if (pending.seq > start) await flush(ctx, pending)',
        `if (pending.seq > start) {
      await flush(ctx, { ...pending, receipts: [] })
      late.push({ ...pending, feed: [] })
    }`,
      ],
      ['const open = new WeakMap<object, Stream>()', 'const open = new WeakMap<object, Stream>()\nconst late: Pending[] = []'],
    ],
    project: 'doors',
    tests: 'tests/faults/kill.test.ts',
    title: 'loses and doubles nothing',
    tries: 10,
  },
  {
    mistake: 'the cursor is kept before its page',
    file: `${loop}/loop.ts`,
    texts: [
      [
        'await ports.store.applyPage(answer, point)',
        'await ports.store.applyPage({ ...answer, changes: [] }, point)\n    await ports.store.applyPage(answer, point)',
      ],
    ],
    ...model,
  },
  {
    mistake: 'the log is emptied when it is sent, before the answer',
    file: `${loop}/loop.ts`,
    texts: [['return await ports.push(batch, summary)', `${taken('batch')}\n    return await ports.push(batch, summary)`]],
    ...model,
  },
  {
    mistake: 'a push that met an expired session is dropped',
    file: `${loop}/loop.ts`,
    texts: [
      [
        'if (!refusal || !bodyRefusals.includes(refusal.status)) throw error',
        `if (refusal?.status === 401) ${taken('batch')}\n    if (!refusal || !bodyRefusals.includes(refusal.status)) throw error`,
      ],
    ],
    ...model,
  },
  {
    mistake: 'a record is written in another transaction than its change',
    file: `${store}/log.ts`,
    texts: [
      [
        'await core.db.commit([...steps, ...files, await core.entityStep(gen, entity)])',
        'await core.db.commit([await core.entityStep(gen, entity)])\n    await core.db.commit([...steps, ...files])',
      ],
    ],
    ...model,
  },
  {
    mistake: 'a change that may have been sent takes a later one in',
    file: `${store}/changes.ts`,
    texts: [['if (!last || last.sent === 1) return', 'if (!last) return']],
    ...model,
  },
  {
    mistake: 'an edit that waits is not laid over a fresh copy',
    file: `${store}/pages.ts`,
    texts: [
      [
        'return core.entityStep(gen, settle({ ...held, server, version: change.version }, pending))',
        'return core.entityStep(gen, settle({ ...held, server, version: change.version }, pending.slice(1)))',
      ],
    ],
    ...model,
  },
  {
    mistake: 'a full pull forgets what waits on top of the old copies',
    file: `${store}/pages.ts`,
    texts: [['    ...carried,\n', '']],
    ...model,
  },
  {
    mistake: 'an update of the program begins with empty stores',
    file: `${store}/database.ts`,
    texts: [
      ['openDB<OfflineSchema>(name, 1, {', 'openDB<OfflineSchema>(name, 2, {'],
      ['    upgrade(db) {', '    upgrade(db) {\n      for (const old of [...db.objectStoreNames]) db.deleteObjectStore(old)'],
    ],
    project: 'doors',
    tests: 'tests/faults/old-device.test.ts',
    title: 'keeps all of it, sends what had left as it left',
    tries: 1,
  },
  {
    mistake: 'a failed cycle arms no timer',
    file: `${loop}/loop.ts`,
    texts: [['      arm(pause)\n', "      if (result.outcome === 'success') arm(pause)\n"]],
    ...model,
  },
]

/** The source with the mistake in it. Throws where a text is not there exactly once: the source went on, the plant has to follow. */
export function plantedSource(source: string, { file, texts }: Plant): string {
  return texts.reduce((text, [sound, wrong]) => {
    if (text.split(sound).length !== 2) throw new Error(`scripts/test/plants.ts: "${sound}" must be once in ${file}`)
    return text.replace(sound, () => wrong)
  }, source)
}
