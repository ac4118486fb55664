import { chunk } from 'es-toolkit/array/chunk'
import { useEffect, useState, type ReactNode } from 'react'
import { Alert, Button, Form } from 'antd'
import { EyeOutlined, FileExcelOutlined, FilePdfOutlined, FileTextOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FieldView } from '@outpost/contract/fields'
import type { ReportPreview as Preview } from '@outpost/contract/report-preview'
import type { ReportFormat } from '@outpost/contract/report-view'
import type { ReportView } from '@outpost/contract/views'
import { call } from '../../../data/calls.ts'
import { useConnection } from '../../../data/connection.ts'
import { t } from '../../../session/labels.ts'
import { useAddress } from '../../address.ts'
import { ErrorText } from '../../states/index.tsx'
import { FormFields } from '../form/FormFields.tsx'
import { useFieldForm } from '../form/useFieldForm.ts'
import { startValues, wireValues } from '../form/values.ts'
import { isBlank } from '../../formats.ts'
import { startReport, useRuns } from './runs.ts'
import type { ReportParameters } from './runs.ts'
import { LastRuns } from './LastRuns.tsx'
import { ReportPreview } from './ReportPreview.tsx'
import { RunProgress } from './RunProgress.tsx'

const names: Record<ReportFormat, string> = { xlsx: 'Generate XLSX', csv: 'Generate CSV', pdf: 'Generate PDF' }
const icons: Record<ReportFormat, ReactNode> = {
  xlsx: <FileExcelOutlined aria-hidden />,
  csv: <FileTextOutlined aria-hidden />,
  pdf: <FilePdfOutlined aria-hidden />,
}

/** Parameters, the first rows they give, the buttons that generate, the progress while it runs, and what was generated before. */
export function ReportKind({ view }: { view: ReportView; params: Record<string, string> }) {
  const { address, patch } = useAddress()
  const { isOnline } = useConnection()
  const { form, record, toWire, place } = useFieldForm(view.parameters, startParameters(view, address))
  const [error, setError] = useState<unknown>()
  const [wanted, setWanted] = useState<ReportFormat | 'preview'>('preview')
  const [shown, setShown] = useState(() => filledParameters(view, startParameters(view, address)))
  const page = pageOf(address.page)
  const preview = usePreview({ report: view.report, parameters: shown, page }, isOnline)
  const runs = useRuns().filter((run) => run.report === view.report)
  const isBusy = (wanted: ReportFormat) =>
    runs.some((run) => run.format === wanted && (run.status === 'queued' || run.status === 'running'))
  const submit = async () => {
    const sentFrom = document.activeElement
    setError(undefined)
    const values = toWire()
    const parameters = scalars(values)
    patch({ ...Object.fromEntries(view.parameters.map((field) => [field.key, values[field.key] ?? undefined])), page: undefined })
    setShown(parameters)
    if (wanted === 'preview') return
    try {
      await startReport({ report: view.report, title: view.title, parameters, format: wanted })
    } catch (cause) {
      if (!place(cause, sentFrom)) setError(cause)
    }
  }
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) form.submit()
  }, [asked, form])
  return (
    <div className="report-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{t(view.title)}</h1>
        </div>
      </header>
      <div className="detail-columns">
        <section className="form-card" aria-label={t('Parameters')}>
          <p className="report-description">{t(view.description)}</p>
          {error === undefined ? null : (
            <Alert className="form-alert" type="error" showIcon title={<ErrorText error={error} />} role="alert" />
          )}
          <Form
            noValidate
            form={form}
            layout="vertical"
            initialValues={startParameters(view, address)}
            onFinish={() => void submit()}
            scrollToFirstError={{ focus: true }}
            aria-label={t(view.title)}
          >
            <FormFields
              fields={view.parameters}
              rows={chunk(
                view.parameters.map((field) => field.key),
                2,
              )}
              record={record}
            />
            <div className="report-buttons">
              <Button
                type="primary"
                icon={<EyeOutlined aria-hidden />}
                loading={preview.isFetching}
                disabled={!isOnline}
                onClick={() => {
                  setWanted('preview')
                  setAsked(asked + 1)
                }}
              >
                {t('Preview')}
              </Button>
              {view.formats.map((one) => (
                <Button
                  key={one}
                  icon={icons[one]}
                  loading={isBusy(one)}
                  disabled={!isOnline}
                  onClick={() => {
                    setWanted(one)
                    setAsked(asked + 1)
                  }}
                >
                  {t(names[one])}
                </Button>
              ))}
              {isOnline ? null : <span role="status">{t('Reports need a connection.')}</span>}
            </div>
          </Form>
          {runs
            .filter((run) => run.status === 'queued' || run.status === 'running')
            .map((run) => (
              <RunProgress key={run.key} run={run} />
            ))}
        </section>
        <LastRuns report={view.report} />
      </div>
      {shown && isOnline ? (
        <ReportPreview
          preview={preview.data}
          error={preview.error}
          isLoading={preview.isFetching}
          onPage={(next) => patch({ page: next === 1 ? undefined : next }, { isStep: true })}
        />
      ) : null}
    </div>
  )
}

const pageOf = (value: unknown): number => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 1)

interface Asked {
  report: string
  /** Undefined ones ask for nothing. */
  parameters: ReportParameters | undefined
  page: number
}

/** A page of rows under the parameters. */
const usePreview = ({ report, parameters, page }: Asked, isOnline: boolean) =>
  useQuery({
    queryKey: ['reportPreview', report, parameters, page],
    enabled: isOnline && parameters !== undefined,
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('reports.preview', { body: { report, parameters, page } }, { signal })).data.preview as Preview,
  })

/** What a report opens with; undefined while a required parameter is empty. */
function filledParameters(view: ReportView, start: Record<string, unknown>): ReportParameters | undefined {
  return view.parameters.some((field) => field.required && isBlank(start[field.key]))
    ? undefined
    : scalars(wireValues(view.parameters, startValues(view.parameters, start)))
}

/** Parameters of the address over the fields' defaults, so that a link opens the report as it was run. */
function startParameters(view: ReportView, address: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(view.parameters.map((field) => [field.key, listed(field, address[field.key]) ?? field.defaultValue]))
}

/** A list of the address, also as older links have it: as JSON text, or one id alone. */
function listed({ kind }: FieldView, value: unknown): unknown {
  if (kind !== 'multiReference' || typeof value !== 'string') return value
  return value.replace(/[[\]"\s]/g, '').split(',')
}

function scalars(values: Record<string, unknown>): ReportParameters {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | boolean | null),
    ]),
  )
}
