import type { Access } from '@outpost/contract/permissions'
import { route } from '../area.ts'
import { command, query } from '../resource/operations.ts'
import { idInput } from '../resource/schema.ts'
import type { Route } from '../types.ts'
import type { ImportKind } from './import-kind.ts'
import { cancelImport, commitImport, resumeImport, runAnswer, runOf, startImport, startInput } from './import-runs.ts'

/** What it lasts longer than is the session: it is for whoever is there in person. */
const lasting = { own: true, inPerson: true } as const

/** The calls of imports by a job: a trial of a file, the import itself, its progress, its end. Each is its person's alone. */
export function importRoutes(kind: ImportKind, { path, access }: { path: string; access: Access }): Route[] {
  const { name } = kind
  return [
    route(
      `${name}.startImport`,
      'POST',
      path,
      access,
      command(startInput(kind), (ctx, input) => startImport(kind, ctx, input), runAnswer),
      {
        ...lasting,
        bodyLimit: 16_777_216,
        limit: 20,
        summary: 'Keeps the rows of a file and has a job try them; writes nothing else',
      },
    ),
    route(
      `${name}.getImport`,
      'GET',
      `${path}/:id`,
      access,
      query(idInput, (ctx, { id }) => runOf(kind, ctx, id), runAnswer),
      { own: true, limit: 600 },
    ),
    route(
      `${name}.commitImport`,
      'POST',
      `${path}/:id/commit`,
      access,
      command(idInput, (ctx, { id }) => commitImport(kind, ctx, id), runAnswer),
      {
        ...lasting,
        summary: 'Imports the rows of a trial that is over',
      },
    ),
    route(
      `${name}.resumeImport`,
      'POST',
      `${path}/:id/resume`,
      access,
      command(idInput, (ctx, { id }) => resumeImport(kind, ctx, id), runAnswer),
      lasting,
    ),
    route(
      `${name}.cancelImport`,
      'POST',
      `${path}/:id/cancel`,
      access,
      command(idInput, (ctx, { id }) => cancelImport(kind, ctx, id), runAnswer),
      lasting,
    ),
  ]
}
