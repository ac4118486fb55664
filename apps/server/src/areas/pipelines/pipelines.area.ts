import { sql } from '@outpost/platform/db/sql'
import { pipelineEntities, statusesOf } from '@outpost/rules/leads/pipeline-stages'
import { z } from 'zod'
import { defineArea, may, route } from '../../kernel/area.ts'
import { recordsAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, update } from '../../kernel/resource/operations.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import * as handle from './pipeline.handlers.ts'
import { pipeline, pipelineStage } from './pipeline.resource.ts'

const own = { own: true }
const readers = may('SALES', 'SALES/LEADS', 'SALES/CASES')
/** What stages mean is the company's set-up; everybody in sales may look at it. */
const editors = may('ADMIN/SETTINGS')
const statuses = Object.fromEntries(pipelineEntities.map((entity) => [entity, statusesOf(entity)]))

/** Pipelines: stages with colour, probability and type, each standing for statuses of leads or cases. */
export const pipelinesArea = defineArea({
  name: 'pipelines',
  resources: [pipeline, pipelineStage],
  routes: [
    route('pipelines.list', 'GET', '/api/pipelines', readers, list(pipeline), own),
    route('pipelines.stages', 'GET', '/api/pipelines/stages', readers, list(pipelineStage, {
      extra: { entity: z.enum(pipelineEntities).optional() },
      where: (ctx, { entity }) => sql`exists (select 1 from pipeline p where p."companyId" = t."companyId" and p."id" = t."pipelineId" and p."deletedAt" is null
        and (${entity ?? null}::text is null or p."entity" = ${entity ?? null}) and (${ctx.scope === '*'} or p."tenantId" = any(${ctx.tenant.path}::uuid[])))`,
    }), { own: true, summary: 'Stages that records of the chosen tenant may be in' }),
    route('pipelines.inEffect', 'GET', '/api/pipelines/for/:entity', readers, query(handle.entityInput, handle.pipelineFor, handle.inEffectAnswer), { own: true, summary: 'The pipeline that holds for the chosen tenant' }),
    route('pipelines.get', 'GET', '/api/pipelines/:id', readers, get(pipeline), own),
    route('pipelines.create', 'POST', '/api/pipelines', editors, create(pipeline), own),
    route('pipelines.remove', 'POST', '/api/pipelines/delete', editors, remove(pipeline), own),
    route('pipelines.restore', 'POST', '/api/pipelines/restore', editors, command(handle.restoreInput, handle.restorePipelines, recordsAnswer(pipeline)), own),
    route('pipelines.update', 'PUT', '/api/pipelines/:id', editors, update(pipeline), own),
  ],
  screens: [
    screen('/admin/sales/pipelines/list', may('SALES'), custom('pipeline-editor', 'Pipelines', (ctx) => ({ statuses, mayEdit: holdsAny(ctx, 'ADMIN/SETTINGS') }))),
  ],
})
