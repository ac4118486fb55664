import { describe, expect, it } from 'vitest'
import { completionToast } from './completion.ts'

const answer = { runId: '1', success: true, reportName: 'Sales', heading: '', body: '' }

describe('the toast of a finished report', () => {
  it('has the words of the specification', () => {
    expect(completionToast(answer, 'xlsx')).toMatchObject({ severity: 'success', title: 'Report generated successfully' })
    expect(completionToast(answer, 'csv')).toMatchObject({ severity: 'success', title: 'CSV Report generated successfully' })
    expect(completionToast({ ...answer, success: false }, 'xlsx')).toMatchObject({
      severity: 'danger',
      title: 'Report generated with Errors',
    })
    expect(completionToast({ ...answer, success: false, heading: 'Too much', body: 'Narrow the period' }, 'xlsx')).toEqual({
      severity: 'danger',
      title: 'Too much',
      body: 'Narrow the period',
    })
  })
})
