import { pipelineEntities, stageTypes } from '@outpost/rules/leads/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { preparePipeline } from './pipeline.rules.ts'
import { deleteAction } from '../../kernel/screens/delete-action.ts'

const labels = { lead: 'Leads', case: 'Cases' }
const stages = `select coalesce(json_agg(json_build_object('Id', s."id", 'name', s."name", 'colour', s."colour", 'probability', s."probability",
    'type', s."type", 'statuses', s."statuses", 'position', s."position") order by s."position"), '[]')
  from pipeline_stage s where s."companyId" = t."companyId" and s."pipelineId" = t."id"`

const stageColours = ['default', 'blue', 'geekblue', 'cyan', 'purple', 'gold', 'orange', 'volcano', 'lime', 'green', 'red', 'magenta']
const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** One stage, as records point to it. */
export const pipelineStage = defineResource({
  model: 'pipelineStage',
  one: 'pipelineStage',
  many: 'stages',
  label: 'Stage',
  labelMany: 'Stages',
  title: 'name',
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60 },
    colour: { kind: 'choice', label: 'Colour', defaultValue: 'default', options: optionsOf(stageColours) },
    probability: { kind: 'percent', label: 'Probability', required: true },
    type: { kind: 'choice', label: 'Type', required: true, options: optionsOf(stageTypes) },
    position: { kind: 'number', label: 'Position', readOnly: true },
    pipelineId: { kind: 'text', label: 'Pipeline', readOnly: true },
    statuses: { kind: 'tags', label: 'Statuses', required: true, maxLength: 60 },
  },
  list: { columns: ['name', 'type', 'probability', 'position'], sort: ['position', 'ASC'], size: 1_000, filters: ['type'] },
})

/** The stages that leads or cases pass. Callers see those of their tenant, above it and below it. */
export const pipeline = defineResource({
  model: 'pipeline',
  one: 'pipeline',
  many: 'pipelines',
  label: 'Pipeline',
  labelMany: 'Pipelines',
  title: 'name',
  writtenBy: ['tenantId'],
  isSoftDeleted: true,
  fields: {
    entity: {
      kind: 'choice',
      label: 'For',
      required: true,
      createOnly: true,
      options: pipelineEntities.map((value) => ({ value, label: labels[value] })),
    },
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    isDefault: { kind: 'boolean', label: 'Default', defaultValue: false },
    tenantId: { kind: 'reference', label: 'Tenant', to: 'tenant', readOnly: true },
    stages: { kind: 'lines', label: 'Stages', of: pipelineStage, by: 'pipelineId', min: 1, max: 30, sql: stages },
    stageNames: {
      kind: 'text',
      label: 'Stages (names)',
      readOnly: true,
      sql: `select string_agg(s."name", ' → ' order by s."position") from pipeline_stage s where s."companyId" = t."companyId" and s."pipelineId" = t."id"`,
    },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'entity', 'isDefault', 'stageNames', 'tenantId', 'dateModified'],
    search: ['name'],
    sort: ['name', 'ASC'],
    size: 1_000,
    filters: ['entity', 'isDefault', 'tenantId'],
  },
  actions: [deleteAction('pipelines.remove', { title: 'Delete this pipeline?' }, { undo: 'pipelines.restore' })],
  visible: ({ scope, tenant }) => (scope === '*' ? null : sql`t."tenantId" = any(${[...tenant.path, ...scope]}::uuid[])`),
  prepare: preparePipeline,
})
