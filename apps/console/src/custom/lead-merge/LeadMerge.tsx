import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Checkbox } from 'antd'
import { useModal } from '../../feedback/ModalHost.tsx'
import { useState } from 'react'
import { mergeParts, undoDays } from '@outpost/rules/leads/lead-merge'
import type { CallBody } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { formatPhone } from '../../view/phone.ts'
import { explainFailure } from '../../view/actions/call.ts'
import { useAddress } from '../../view/address.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../index.ts'
import { LeadCard } from './LeadCard.tsx'
import { PartChoice } from './PartChoice.tsx'
import { nameOf, readChoice, sameText, writeTake, type Side } from './choice.ts'
import './lead-merge.css'

/** Two leads that may be one person, side by side: which one stays, and what it takes from the other. The choice is in the address. */
export function LeadMerge({ params: { a = '', b = '' } }: CustomProps) {
  const [left, right] = [useLead(a), useLead(b)]
  const failed = left.error ? left : right.error ? right : undefined
  if (failed && !failed.data) return <ErrorState error={failed.error} what={t('One of the leads')} onRetry={() => void failed.refetch()} />
  if (!left.data || !right.data) return <LoadingState rows={10} />
  return <Comparison a={left.data} b={right.data} />
}

/** Not among the records that live updates refresh: the choice must not change under one's hands, and the loser is gone after it. */
function useLead(id: string) {
  return useQuery({
    queryKey: ['lead-merge', id],
    gcTime: 0,
    queryFn: async ({ signal }) => (await call('leads.get', { params: { id } }, { signal })).data.lead,
  })
}

function Comparison({ a, b }: { a: Row; b: Row }) {
  const { address, patch } = useAddress()
  const [isAll, setAll] = useState(false)
  const { stays, take } = readChoice(address, a, b)
  const [winner, loser] = stays === 'a' ? [a, b] : [b, a]
  const { merge, isBusy } = useMerge({ winner, loser, take })
  const isOnline = useConnection().isOnline
  const shown = mergeParts.filter((part) => isAll || !sameText(part, a, b))
  const choose = (part: string, side: Side) => patch({ take: writeTake(take, part, side !== stays) })
  return (
    <div className="lm">
      <header className="lm-head">
        <h1 tabIndex={-1}>{t('Merge leads')}</h1>
        <p>
          {t('Choose the lead that stays. It keeps its activities and takes over those of the other, which is deleted.')}{' '}
          {`${t('You can undo this for')} ${undoDays} ${t('days')}.`}
        </p>
      </header>
      <fieldset className="lm-sides">
        <legend>{t('Which one stays?')}</legend>
        <LeadCard side="a" lead={a} isChosen={stays === 'a'} onChoose={() => patch({ stays: undefined, take: undefined })} />
        <LeadCard side="b" lead={b} isChosen={stays === 'b'} onChoose={() => patch({ stays: 'b', take: undefined })} />
      </fieldset>
      <section className="lm-parts" aria-labelledby="lm-parts-title">
        <div className="lm-parts-head">
          <h2 id="lm-parts-title">{t('What it will say')}</h2>
          <Checkbox checked={isAll} onChange={(event) => setAll(event.target.checked)}>
            {t('Show what is the same')}
          </Checkbox>
        </div>
        {shown.length === 0 ? <p className="lm-none">{t('Both say the same everywhere.')}</p> : null}
        {shown.map((part) => (
          <PartChoice
            key={part.key}
            part={part}
            a={a}
            b={b}
            chosen={take.includes(part.key) ? (stays === 'a' ? 'b' : 'a') : stays}
            onChoose={(side) => choose(part.key, side)}
          />
        ))}
      </section>
      <footer className="lm-foot">
        <p role="status">{`${nameOf(winner)} (${formatPhone(winner.phonenumber)}) ${t('stays')}, ${take.length} ${take.length === 1 ? t('part is taken from the other') : t('parts are taken from the other')}.`}</p>
        <Button type="primary" loading={isBusy} disabled={!isOnline} onClick={merge}>
          {t('Merge')}
        </Button>
      </footer>
    </div>
  )
}

/** Asks once more, merges, offers the way back, and goes to the lead that stayed. */
type Part = NonNullable<CallBody<'leads.merge'>['take']>[number]

function useMerge({ winner, loser, take }: { winner: Row; loser: Row; take: readonly string[] }) {
  const navigate = useNavigate()
  const modal = useModal()
  const [isBusy, setBusy] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.records('lead') })
  const run = async () => {
    setBusy(true)
    try {
      const { data, message } = await call('leads.merge', {
        body: { winnerId: String(winner.Id), loserId: String(loser.Id), take: take as Part[] },
      })
      const undo = () =>
        void call('leads.undoMerge', { params: { id: (data.merge as { Id: string }).Id } }).then(async () => {
          await refresh()
          toast.info({ title: t('Both leads are back') })
        }, showFailure)
      toast.success({ title: message ?? t('The two leads are one now.'), seconds: 10, action: { label: t('Undo'), run: undo } })
      await navigate({ to: `/sales/leads/${String(winner.Id)}/view` })
      await refresh()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const merge = () =>
    void modal.confirm({
      title: t('Merge these leads?'),
      okText: t('Merge'),
      cancelText: t('Cancel'),
      onOk: run,
      content: `${nameOf(loser)} (${formatPhone(loser.phonenumber)}) ${t('is deleted. It can be brought back for')} ${undoDays} ${t('days')}.`,
    })
  return { merge, isBusy }
}

function showFailure(error: unknown): void {
  toast.danger({ title: t('Not merged'), body: explainFailure(error).message, seconds: 12 })
}
