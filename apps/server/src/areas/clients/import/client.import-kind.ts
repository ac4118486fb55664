import { z } from 'zod'
import type { ImportKind } from '../../../kernel/imports/import-kind.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { clientNews } from '../client.news.ts'
import { columnKeys, type ImportColumn } from './columns.ts'
import { saidTwice } from './assess.ts'
import { importOptions } from './portion.ts'
import { writeRows } from './write-rows.ts'

const options = z.strictObject(importOptions)

/** Clients from a file: judged and written as the call for a portion does it. */
export const clientImport: ImportKind<ImportColumn, typeof options> = {
  name: 'clients',
  columns: columnKeys,
  options,
  mayRun: (ctx, { duplicates }) => holdsAny(ctx, 'CLIENTS/CREATE') && (duplicates !== 'update' || holdsAny(ctx, 'CLIENTS/EDIT')),
  write: (ctx, { duplicates }, rows) => withStream(ctx, (inner) => writeRows(inner, { duplicates, rows })),
  twice: (row, key, first, { duplicates }) => ({
    ...row,
    verdict: duplicates === 'skip' ? 'skip' : 'refuse',
    problems: [saidTwice(key, first)],
  }),
  news: clientNews,
  link: (runId) => `/clients/import?run=${runId}`,
}
