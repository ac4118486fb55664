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
import { useAddress } from '../../address.ts'
import { keepingsOf, SaveRunDialog, type Keeping } from './KeepDialog.tsx'
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

/** What can be done with a result: keep it with a lead or a client, compare, print, hand on; and begin anew. */
export function CalculatorActions({ view, outline, run, currency, isCompared, onKeep, onReset }: ActionsProps) {
  const { isOnline } = useConnection()
  const { address } = useAddress()
  const keepings = keepingsOf(view, address)
  const [keeping, setKeeping] = useState<Keeping>()
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
      {keepings.map((one, index) => (
        <Button
          key={one.keep.record.to}
          type={index === 0 ? 'primary' : 'default'}
          icon={<SaveOutlined aria-hidden />}
          disabled={!run || !isOnline}
          title={isOnline ? undefined : one.offline}
          onClick={() => setKeeping(one)}
        >
          {one.title}
        </Button>
      ))}
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
      {run && keeping ? (
        <SaveRunDialog keeping={keeping} given={givenIn(address, keeping)} run={run} onClose={() => setKeeping(undefined)} />
      ) : null}
    </div>
  )
}

/** The client whom the page was opened for. */
function givenIn(address: Readonly<Record<string, unknown>>, { keep }: Keeping): string | null {
  const id = keep.record.to === 'client' ? address['client'] : undefined
  return typeof id === 'string' ? id : null
}
