import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Checkbox } from 'antd'
import { useModal } from '../../feedback/ModalHost.tsx'
import { useState } from 'react'
import { undoDays } from '@outpost/rules/merge'
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
import type { CustomProps } from '../props.ts'
import { PersonCard } from './PersonCard.tsx'
import { PartChoice } from './PartChoice.tsx'
import { nameOf, readChoice, sameText, writeTake, type Side } from './choice.ts'
import { clients, leads, type MergeKind } from './kinds.ts'
import './merge.css'

export const LeadMerge = ({ params }: CustomProps) => <Merge kind={leads} params={params} />
export const ClientMerge = ({ params }: CustomProps) => <Merge kind={clients} params={params} />

/** Two records that may be one person, side by side: which one stays, and what it takes from the other. The choice is in the address. */
function Merge({ kind, params: { a = '', b = '' } }: Pick<CustomProps, 'params'> & { kind: MergeKind }) {
  const [left, right] = [usePerson(kind, a), usePerson(kind, b)]
  const failed = left.error ? left : right.error ? right : undefined
  if (failed && !failed.data) return <ErrorState error={failed.error} what={t(kind.words.missing)} onRetry={() => void failed.refetch()} />
  if (!left.data || !right.data) return <LoadingState rows={10} />
  return <Comparison kind={kind} a={left.data} b={right.data} />
}

/** Not among the records that live updates refresh: the choice must not change under one's hands, and the loser is gone after it. */
function usePerson({ one, read }: MergeKind, id: string) {
  return useQuery({ queryKey: ['merge', one, id], gcTime: 0, queryFn: ({ signal }) => read(id, signal) })
}

function Comparison({ kind, a, b }: { kind: MergeKind; a: Row; b: Row }) {
  const { address, patch } = useAddress()
  const [isAll, setAll] = useState(false)
  const { stays, take } = readChoice(kind.parts, { address, a, b })
  const [winner, loser] = stays === 'a' ? [a, b] : [b, a]
  const { merge, isBusy } = useMerge(kind, { winner, loser, take })
  const isOnline = useConnection().isOnline
  const shown = kind.parts.filter((part) => isAll || !sameText(part, a, b))
  const choose = (part: string, side: Side) => patch({ take: writeTake(take, part, side !== stays) })
  return (
    <div className="lm">
      <header className="lm-head">
        <h1 tabIndex={-1}>{t(kind.words.title)}</h1>
        <p>
          {t(kind.words.intro)} {`${t('You can undo this for')} ${undoDays} ${t('days')}.`}
        </p>
      </header>
      <fieldset className="lm-sides">
        <legend>{t('Which one stays?')}</legend>
        <PersonCard side="a" person={a} isChosen={stays === 'a'} onChoose={() => patch({ stays: undefined, take: undefined })} />
        <PersonCard side="b" person={b} isChosen={stays === 'b'} onChoose={() => patch({ stays: 'b', take: undefined })} />
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

/** Asks once more, merges, offers the way back, and goes to the one that stayed. */
function useMerge(kind: MergeKind, { winner, loser, take }: { winner: Row; loser: Row; take: readonly string[] }) {
  const navigate = useNavigate()
  const modal = useModal()
  const [isBusy, setBusy] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.records(kind.one) })
  const run = async () => {
    setBusy(true)
    try {
      const { mergeId, message } = await kind.merge({ winnerId: String(winner.Id), loserId: String(loser.Id), take })
      const undo = () =>
        void kind.undo(mergeId).then(async () => {
          await refresh()
          toast.info({ title: t(kind.words.back) })
        }, showFailure)
      toast.success({ title: message ?? t(kind.words.done), seconds: 10, action: { label: t('Undo'), run: undo } })
      await navigate({ to: kind.open(String(winner.Id)) })
      await refresh()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const merge = () =>
    void modal.confirm({
      title: t(kind.words.question),
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
