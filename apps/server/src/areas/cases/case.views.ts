import type { ListView } from '@outpost/contract/views'
import type { Calls, Ctx } from '../../kernel/types.ts'
import { stagesInEffect } from '../pipelines/index.ts'

/** The list also as a board: a column for each stage of the pipeline in effect. A company without cases has no stages of its own yet. */
export async function caseList(ctx: Ctx, view: ListView, { move }: Calls<'move'>): Promise<ListView> {
  const { stages } = await stagesInEffect(ctx, 'case')
  const columns = stages.flatMap(({ Id, name, colour }) => (Id === null ? [] : [{ value: Id, label: name, colour }]))
  if (columns.length === 0) return view
  return {
    ...view,
    layouts: [
      {
        kind: 'kanban',
        field: 'stageId',
        columns,
        titleKey: 'title',
        lines: ['caseNumber', 'ownerUserId', 'dueDate'],
        badge: 'priority',
        ...(move ? { move } : {}),
      },
    ],
  }
}
