import { useState } from 'react'
import { Button, Dropdown } from 'antd'
import {
  CopyOutlined,
  FilePdfOutlined,
  MoreOutlined,
  PrinterOutlined,
  ReloadOutlined,
  SaveOutlined,
  SplitCellsOutlined,
} from '@ant-design/icons'
import type { CalculatorView } from '@outpost/contract/views'
import type { CalculatorRun } from '@outpost/rules/calculators/index'
import { api } from '../../../data/api.ts'
import { useConnection } from '../../../data/connection.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { SaveRunDialog } from './KeepDialog.tsx'
import { summaryOf, type Outline } from './run.ts'

interface ActionsProps {
  view: CalculatorView
  outline: Outline
  run: CalculatorRun | undefined
  currency: string
  isCompared: boolean
  onKeep: () => void
  onReset: () => void
}

/** What can be done with a result: keep it with a lead, compare, print, hand on; and begin anew. */
export function CalculatorActions({ view, outline, run, currency, isCompared, onKeep, onReset }: ActionsProps) {
  const { isOnline } = useConnection()
  const [isKeeping, setKeeping] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const letter = async () => {
    if (!run) return
    setPrinting(true)
    try {
      await api.download(view.pdf.path, { inputs: run.inputs, at: run.at })
    } catch (error) {
      toast.danger({ title: t('The PDF could not be made'), body: error instanceof Error ? error.message : undefined })
    } finally {
      setPrinting(false)
    }
  }
  const copy = async () => {
    if (!run) return
    await navigator.clipboard.writeText(summaryOf(outline, run, currency))
    toast.success({ title: t('Copied') })
  }
  return (
    <div className="view-header-actions">
      {view.keep ? (
        <Button
          type="primary"
          icon={<SaveOutlined aria-hidden />}
          disabled={!run || !isOnline}
          title={isOnline ? undefined : t('Saving to a lead needs a connection.')}
          onClick={() => setKeeping(true)}
        >
          {t('Save to a lead')}
        </Button>
      ) : null}
      <Button icon={<SplitCellsOutlined aria-hidden />} disabled={!run} onClick={onKeep}>
        {t(isCompared ? 'Keep this one instead' : 'Compare')}
      </Button>
      <Button icon={<FilePdfOutlined aria-hidden />} disabled={!run || !isOnline} loading={isPrinting} onClick={() => void letter()}>
        {t('PDF')}
      </Button>
      <Button icon={<ReloadOutlined aria-hidden />} onClick={onReset}>
        {t('Reset')}
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'copy', icon: <CopyOutlined aria-hidden />, label: t('Copy as text'), disabled: !run, onClick: () => void copy() },
            { key: 'print', icon: <PrinterOutlined aria-hidden />, label: t('Print'), onClick: () => window.print() },
          ],
        }}
      >
        <Button icon={<MoreOutlined aria-hidden />} aria-haspopup="menu" aria-label={t('More actions')} />
      </Dropdown>
      {view.keep && run && isKeeping ? <SaveRunDialog keep={view.keep} run={run} onClose={() => setKeeping(false)} /> : null}
    </div>
  )
}
