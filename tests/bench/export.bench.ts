import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { percentile, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { callOnce } from './support/load.ts'
import { Agent } from 'node:http'

/** A million rows into a file, while others use the API: how much memory it takes and how long they wait. */
export const bench: Bench = {
  name: 'export',
  leads: 1_000_000,
  run: async (house) => [...(await exportFigures(house, 'csv')), ...(await exportFigures(house, 'xlsx'))],
}

async function exportFigures(house: House, format: 'csv' | 'xlsx'): Promise<Figure[]> {
  const headers = await house.signIn('md@sunrise.test')
  const base = await memory(house.pid)
  const begun = performance.now()
  const body = JSON.stringify({ report: 'exportList', parameters: { resource: 'lead' }, format })
  const { status, text } = await house.call({ path: '/api/reports/run', method: 'POST', headers, body })
  if (status >= 300) throw new Error(`export: ${status} ${text}`)
  const { runId } = (JSON.parse(text) as { data: { runId: string } }).data
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let [peak, run] = [base, { status: 'queued', rows: 0 }]
  while (run.status === 'queued' || run.status === 'running') {
    times.push((await callOnce({ url: `${house.url}/api/leads?size=25`, headers }, agent)).ms)
    peak = Math.max(peak, await memory(house.pid))
    run = (JSON.parse((await house.call({ path: `/api/reports/runs/${runId}`, headers })).text) as { data: { reportRun: typeof run } }).data
      .reportRun
    await setTimeout(20)
  }
  agent.destroy()
  if (run.status !== 'done') throw new Error(`export: ${JSON.stringify(run)}`)
  const detail = `${run.rows} rows in ${((performance.now() - begun) / 1000).toFixed(1)} s`
  return [
    { name: `export of 1,000,000 rows, ${format}: memory over base`, value: Math.round(peak - base), unit: 'MB', target: '<= 150', detail },
    {
      name: `API p99 during the ${format} export`,
      value: rounded(percentile(times, 0.99)),
      unit: 'ms',
      target: '< 500',
      detail: `${times.length} calls`,
    },
  ]
}

/** Resident memory in MB; 0 where there is no /proc. */
async function memory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
