import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import type { PipelineEntity } from '@outpost/rules/leads/pipeline-stages'
import { call, pathOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { PipelineForm } from './PipelineForm.tsx'
import { newPipeline, type EditorData, type Pipeline } from './pipelines.ts'
import './pipeline-editor.css'

const entities: { key: PipelineEntity; label: string }[] = [
  { key: 'lead', label: 'Leads' },
  { key: 'case', label: 'Cases' },
]

/** The pipelines of leads and cases, and the editor of their stages. */
export function PipelineEditor({ view }: CustomProps) {
  const data = view.data as unknown as EditorData
  const { address, patch } = useAddress()
  const open = textOf(address.open)
  const pipelines = useQuery({
    queryKey: keys.list('pipeline', pathOf('pipelines.list'), {}),
    queryFn: async ({ signal }) => (await call('pipelines.list', {}, { signal })).data.pipelines as unknown as Pipeline[],
  })
  const edited = open?.startsWith('new-')
    ? newPipeline(open === 'new-case' ? 'case' : 'lead')
    : pipelines.data?.find(({ Id }) => Id === open)
  const close = () => patch({ open: undefined })
  return (
    <div className="view pl">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Pipelines')}</h1>
        </div>
      </header>
      {pipelines.isPending ? (
        <LoadingState rows={4} />
      ) : pipelines.error ? (
        <ErrorState error={pipelines.error} what={t('Pipelines')} onRetry={() => void pipelines.refetch()} />
      ) : edited ? (
        <PipelineForm key={open} pipeline={edited} data={data} onClose={close} />
      ) : (
        entities.map(({ key, label }) => (
          <section key={key} className="pl-group" aria-label={t(label)}>
            <div className="pl-head">
              <h2>{t(label)}</h2>
              {data.mayEdit && (
                <Button icon={<PlusOutlined aria-hidden />} onClick={() => patch({ open: `new-${key}` }, { isStep: true })}>
                  {t('New pipeline')}
                </Button>
              )}
            </div>
            <Cards
              pipelines={pipelines.data.filter(({ entity }) => entity === key)}
              entity={key}
              onOpen={(id) => patch({ open: id }, { isStep: true })}
            />
          </section>
        ))
      )}
    </div>
  )
}

/** Pipelines of one kind of record; without an own one, the standard stages that hold meanwhile. */
function Cards({ pipelines, entity, onOpen }: { pipelines: Pipeline[]; entity: PipelineEntity; onOpen: (id: string) => void }) {
  const shown: Pipeline[] = pipelines.length > 0 ? pipelines : [{ ...newPipeline(entity), name: t('Standard'), isDefault: true }]
  return (
    <ul className="pl-cards">
      {shown.map((pipeline) => (
        <li key={pipeline.Id ?? 'standard'}>
          <h3>
            {pipeline.Id ? (
              <button type="button" className="pl-open" onClick={() => onOpen(pipeline.Id ?? '')}>
                {pipeline.name}
              </button>
            ) : (
              pipeline.name
            )}
            {pipeline.isDefault && (
              <Tag variant="filled" className="view-tag tag-good">
                {t('Default')}
              </Tag>
            )}
            {pipeline.tenantIdLabel && <small>{pipeline.tenantIdLabel}</small>}
          </h3>
          {!pipeline.Id && <p>{t('These stages hold until you make a pipeline of your own.')}</p>}
          <ol>
            {pipeline.stages.map((stage) => (
              <li key={stage.Id ?? stage.name} data-type={stage.type}>
                <span>{stage.name}</span>
                <small>{stage.probability} %</small>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  )
}
