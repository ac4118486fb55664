import { useSyncExternalStore } from 'react'
import type { ReportComplete, ServerEvents } from '@outpost/contract/events'
import type { ReportFormat } from '@outpost/contract/report-view'
import { call } from '../../../data/calls.ts'
import { on, send } from '../../../data/live.ts'
import { queryClient } from '../../../data/query-client.ts'
import { toast } from '../../../feedback/toast.ts'
import { serverNow } from '../../../session/token.ts'
import { completionToast } from './completion.ts'
import { t } from '../../../session/labels.ts'

export type ReportParameters = Record<string, string | number | boolean | null>
export type RunStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'

/** A report asked for in this tab. `runId` is known as soon as the server says it. */
export interface Run {
  key: number
  runId: string | null
  report: string
  title: string
  format: ReportFormat
  status: RunStatus
  rows: number
  total: number | null
  percent: number
  askedAt: number
}
export interface ReportRequest {
  report: string
  title: string
  parameters: ReportParameters
  format: ReportFormat
}

let runs: Run[] = []
let count = 0
const finished = new Set<string>()
const listeners = new Set<() => void>()
/** The specification: the file opens in a new tab one second after completion. */
const openingPauseMs = 1_000

function become(next: Run[]): void {
  runs = next.slice(-20)
  for (const listener of listeners) listener()
}
const change = (key: number, part: Partial<Run>) => become(runs.map((run) => (run.key === key ? { ...run, ...part } : run)))
const isOpen = (run: Run) => run.status === 'queued' || run.status === 'running'

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Runs asked for in this tab, oldest first. */
export const useRuns = (): Run[] => useSyncExternalStore(subscribe, () => runs)

/**
 * Asks for a report: over the real-time channel when it is open, else by POST /api/reports/run. Throws ApiError when the
 * server refuses the latter.
 */
export async function startReport({ report, title, parameters, format }: ReportRequest): Promise<void> {
  const key = ++count
  become([...runs, { key, runId: null, report, title, format, status: 'queued', rows: 0, total: null, percent: 0, askedAt: serverNow() }])
  if (send('runReportV2', { reportId: report, parameters, exportFormat: format })) return
  try {
    const { data } = await call('reports.run', { body: { report, parameters, format } })
    change(key, { runId: data.runId as string })
  } catch (error) {
    change(key, { status: 'failed' })
    throw error
  }
}

/** Stops a run; the server's own list shows it as cancelled. */
export async function cancelReport(run: Pick<Run, 'key' | 'runId'>): Promise<void> {
  if (run.runId) {
    finished.add(run.runId)
    await call('reports.cancel', { params: { id: run.runId } })
  }
  change(run.key, { status: 'cancelled' })
  await queryClient.invalidateQueries({ queryKey: ['reportRuns'] })
}

/** The run an event speaks of; the first event of a run asked for over the channel also carries its id. */
function runOf(runId: string, report: string | undefined): Run | undefined {
  return (
    runs.find((run) => run.runId === runId) ??
    runs.find((run) => run.runId === null && isOpen(run) && (report === undefined || run.report === report))
  )
}

function progressed({ runId, report, rows, total, percent }: ServerEvents['reportProgress']): void {
  const run = runOf(runId, report)
  if (run && isOpen(run)) change(run.key, { runId, status: 'running', rows, total, percent })
}

function completed(answer: ReportComplete, format: ReportFormat): void {
  if (finished.has(answer.runId)) return
  finished.add(answer.runId)
  const run = runOf(answer.runId, undefined)
  if (run) change(run.key, { runId: answer.runId, status: answer.success ? 'done' : 'failed', percent: answer.success ? 100 : run.percent })
  const { severity, ...content } = completionToast(answer, format)
  toast[severity](content)
  void queryClient.invalidateQueries({ queryKey: ['reportRuns'] })
  const { filePath } = answer
  if (answer.success && filePath) setTimeout(() => openFile(filePath), openingPauseMs)
}

/** Opens the file in a new tab; when the browser forbids that, a toast offers it. The link works once only. */
export function openFile(path: string): void {
  const tab = window.open(path, '_blank')
  if (tab) tab.opener = null
  else
    toast.info({
      title: t('Your browser blocked the new tab'),
      action: { label: 'Open the file', run: () => window.open(path, '_blank') },
      seconds: 0,
      key: `open-${path}`,
    })
}

interface StoredRun {
  Id: string
  report: string
  format: ReportFormat
  status: RunStatus
  error?: string | null
  dateCreated: string
}

/** The channel is open again: events of the time between are lost, so the server is asked what has become of the open runs. */
async function catchUp(): Promise<void> {
  const open = runs.filter(isOpen)
  if (open.length === 0) return
  const stored = (await call('reports.runs')).data.reportRuns
  for (const run of open)
    await settle(
      run,
      stored.find((one) => isSame(run, one)),
    )
}

const clockSlackMs = 5_000
const isSame = (run: Run, { Id, report, format, dateCreated }: StoredRun): boolean =>
  run.runId === null
    ? report === run.report &&
      format === run.format &&
      Date.parse(dateCreated) >= run.askedAt - clockSlackMs &&
      runs.every((other) => other.runId !== Id)
    : run.runId === Id

async function settle(run: Run, stored: StoredRun | undefined): Promise<void> {
  const about = { runId: stored?.Id ?? '', reportName: run.title, heading: '' }
  if (!stored) {
    change(run.key, { status: 'failed' })
    return void toast.danger({
      title: t('Report generated with Errors'),
      body: t('The connection broke before the report was asked for. Try again.'),
    })
  }
  change(run.key, { runId: stored.Id, ...(stored.status === 'cancelled' ? { status: 'cancelled' } : {}) })
  if (stored.status === 'failed') completed({ ...about, success: false, body: stored.error ?? '' }, run.format)
  if (stored.status !== 'done') return
  const { data } = await call('reports.link', { params: { id: stored.Id } })
  completed({ ...about, success: true, body: '', filePath: data.filePath as string }, run.format)
}

on('session', () => void catchUp().catch((error: unknown) => console.warn('The reports that run could not be looked up.', error)))
on('reportProgress', progressed)
on('reportComplete', (answer) => completed(answer, 'xlsx'))
on('csvReportComplete', (answer) => completed(answer, 'csv'))
on('error', ({ message }) => {
  const run = runs.findLast((one) => one.runId === null && one.status === 'queued')
  if (!run) return
  change(run.key, { status: 'failed' })
  toast.danger({ title: t('Report generated with Errors'), body: message })
})
