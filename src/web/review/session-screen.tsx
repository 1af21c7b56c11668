/** One session on the page: header, middle column and activity, tied to the session's stream and routes. */
import { useEffect, useRef, useState } from "react";
import type { Static } from "typebox";
import type { ModelList, WorkspaceItem } from "../../protocol/api.ts";
import { phaseIds } from "../../protocol/phases.ts";
import { ActivityPanel } from "../activity/activity-panel.tsx";
import { BackendGone, FifthTab, Reconnecting, StreamLost } from "../layout/banner.tsx";
import { ActivityColumn, type ActivityColumnProps, MainColumn } from "../layout/columns.tsx";
import { Header } from "../layout/header.tsx";
import { useKeys } from "../layout/keys.ts";
import { ProblemNotice } from "../layout/notice.tsx";
import { useNow } from "../layout/use-now.ts";
import { UsageLine } from "../models/usage-line.tsx";
import { WorkspaceWords } from "../question/question-screen.tsx";
import { navigate } from "../route.ts";
import type { ApiProblem } from "../session/api.ts";
import { toLastWords } from "../session/last-words.ts";
import { useSelected } from "../session/session-store.ts";
import { type LiveSession, useSession } from "../session/use-session.ts";
import { useSessionActions } from "../sessions/session-actions.ts";
import { searchId } from "../sessions/session-list.tsx";
import { changeDraft } from "../widgets/draft.ts";
import { decisionsId } from "./decisions.tsx";
import { type Facts, useFacts } from "./facts.ts";
import { ModelDialog } from "./model-dialog.tsx";
import { showPlace } from "./phase-list.tsx";
import { gateWords, ReviewPage } from "./review-page.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { useActions } from "./use-actions.ts";
import { WordsForm } from "./words-form.tsx";

export interface SessionScreenProps extends Omit<ActivityColumnProps, "children"> {
  id: string;
  models: Static<typeof ModelList> | undefined;
  workspaces: WorkspaceItem[];
  gone: boolean;
  onRemove: (id: string) => void;
}

export function SessionScreen({ id, models, workspaces, gone, onRemove, bench, width, onWidth }: SessionScreenProps) {
  const live = useSession(id);
  const facts = useFacts(live);
  const { view, store, status, mode } = live;
  const actions = useActions(live, facts.turn, gone);
  const { duplicate, problem: notDuplicated } = useSessionActions();
  const problem = actions.problem ?? notDuplicated;
  const [changingModel, setChangingModel] = useState(false);
  const first = useSelected(store, (state) => state.entries.at(0));
  const question = view?.question ?? (first?.kind === "prompt" ? first.text : undefined);
  const followUp = useSelected(store, (state) => {
    const last = state.entries.findLast((entry) => entry.kind === "prompt" && entry.from === "follow-up");
    return last?.kind === "prompt" ? last.text : undefined;
  });
  const lastWords = useSelected(store, toLastWords);
  const words = useWords(facts);
  const toggleActivity = () => bench.setActivityOpen(!bench.activityOpen);

  const jumpToGate = () => {
    bench.setTab("review");
    // The tab's column has to be there before it can be scrolled.
    requestAnimationFrame(() => showPlace("review"));
  };
  const phaseAt = useRef(-1);
  const stepPhase = (by: 1 | -1) => {
    const shown = phaseIds
      .map((phase) => document.getElementById(decisionsId(phase)))
      .filter((element) => element !== null);
    phaseAt.current = Math.min(shown.length - 1, Math.max(0, phaseAt.current + by));
    shown[phaseAt.current]?.scrollIntoView({ block: "center" });
  };
  useKeys(
    {
      "?": () => bench.setDialog("keys"),
      n: () => navigate("/"),
      g: jumpToGate,
      a: toggleActivity,
      o: () => {
        if (facts.openGate) changeDraft(facts.openGate.gateId, (draft) => ({ ...draft, otherOpen: true }));
      },
      "/": () => {
        bench.setListOpen(true);
        requestAnimationFrame(() => document.getElementById(searchId)?.focus());
      },
      "[": () => stepPhase(-1),
      "]": () => stepPhase(1),
      close: () => {
        bench.setListOpen(false);
        if (!window.matchMedia("(min-width: 1280px)").matches) bench.setActivityOpen(false);
      },
    },
    facts.openGate?.gateId ?? null,
  );

  const model = models?.models.find((one) => one.provider === view?.provider && one.id === view.model);
  const stop =
    facts.turn === "running" || facts.turn === "waiting" ? { stopping: actions.stopping, press: actions.stop } : null;
  const inForce = facts.thinkingInForce ?? facts.thinking;
  const steer = (place: "main" | "activity") => (
    <WordsForm
      id="steer"
      label="Steer the model"
      button="Steer"
      placeholder={place === "main" ? "Steer the model while it works" : "Steer the model"}
      text={words.steer}
      onText={words.setSteer}
      onFocusChange={place === "main" ? words.setFocused : undefined}
      send={actions.steer}
      className={place === "main" ? "px-5 py-3 shadow-dock" : "border-t border-line bg-transparent px-3 py-2"}
    />
  );
  const rests = facts.turn === "idle" && facts.outcome !== null && facts.openGate === null;
  return (
    <>
      <div className="[grid-area:header]">
        <Header
          workspace={
            view ? (
              <WorkspaceWords workspace={view.workspace} item={workspaces.find((one) => one.name === view.workspace)} />
            ) : null
          }
          model={
            view
              ? {
                  name: model?.name ?? `${view.provider}/${view.model}`,
                  local: model?.local ?? view.provider === "thoth",
                }
              : null
          }
          onModel={() => setChangingModel(true)}
          thinking={inForce}
          asked={facts.thinking !== inForce ? facts.thinking : null}
          turn={facts.turn}
          stop={stop}
          activityShown={bench.activityOpen}
          onActivity={toggleActivity}
          onKeys={() => bench.setDialog("keys")}
        />
      </div>
      <div className="[grid-area:banner]">
        <Connection live={live} gone={gone} />
        <Announcer facts={facts} />
      </div>
      <MainColumn
        bench={bench}
        foot={
          words.steerPlace === "main" ? (
            steer("main")
          ) : rests ? (
            <WordsForm
              id="follow-up"
              label="Follow-up"
              button="Ask"
              primary
              placeholder="Ask a follow-up: it starts at F1 and keeps what you decided here"
              text={words.ask}
              onText={words.setAsk}
              send={actions.ask}
              className="px-5 py-3 shadow-dock"
            />
          ) : undefined
        }
      >
        {live.viewProblem && !view ? (
          <NoSession problem={live.viewProblem} />
        ) : (
          <ReviewPage
            id={id}
            question={question}
            followUp={followUp ?? view?.followUp}
            startedAt={view ? Date.parse(view.createdAt) : (first?.at ?? null)}
            view={view}
            facts={facts}
            lastWords={lastWords}
            gone={gone}
            live={mode !== "live" || status?.state !== "lost"}
            resume={{ resume: actions.resume, resuming: actions.resuming, refused: actions.refused }}
            notice={
              problem ? (
                <ProblemNotice problem={problem} className="mx-5 mt-3" />
              ) : actions.refused && facts.turn !== "failed" && facts.turn !== "idle" ? (
                <ProblemNotice problem={actions.refused} className="mx-5 mt-3" />
              ) : null
            }
            onModel={() => setChangingModel(true)}
            onChanged={live.refresh}
            menu={
              <SessionMenu
                sessionId={id}
                name={view?.name ?? ""}
                onRename={actions.rename}
                onDuplicate={() => void duplicate(id)}
                onModel={() => setChangingModel(true)}
                onResume={actions.resume}
                onRemove={() => onRemove(id)}
                stop={stop}
              />
            }
          />
        )}
      </MainColumn>
      <ActivityColumn bench={bench} width={width} onWidth={onWidth}>
        <ActivityPanel
          store={store}
          thinkingOff={inForce === "off"}
          polling={mode === "polling"}
          status={status}
          onHide={toggleActivity}
          onJump={jumpToGate}
          visible={bench.activityOpen || bench.tab === "activity"}
          steer={words.steerPlace === "activity" ? steer("activity") : undefined}
          usage={<UsageLine view={view} />}
        />
      </ActivityColumn>
      {changingModel && view ? (
        <ModelDialog
          view={view}
          onChanged={() => {
            live.refresh();
            if (facts.turn === "failed") actions.resume();
          }}
          onClose={() => setChangingModel(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Words not yet sent. The box to steer stands below the work while the model works and beside the activity at a gate,
 * but never moves away from someone who is writing in it.
 */
function useWords(facts: Facts) {
  const [steer, setSteer] = useState("");
  const [ask, setAsk] = useState("");
  const [focused, setFocused] = useState(false);
  const [startedInMain, setStartedInMain] = useState(false);
  const busy = facts.turn === "running";
  useEffect(() => {
    if (busy) setStartedInMain(true);
    else if (!focused && steer === "") setStartedInMain(false);
  }, [busy, focused, steer]);
  const steerPlace =
    busy || (facts.turn === "waiting" && startedInMain && (focused || steer !== ""))
      ? ("main" as const)
      : facts.turn === "waiting"
        ? ("activity" as const)
        : null;
  return { steer, setSteer, ask, setAsk, setFocused, steerPlace };
}

const graceMs = 3_000;

function Connection({ live, gone }: { live: LiveSession; gone: boolean }) {
  const { status, mode, retryNow } = live;
  const lost = status?.state === "lost";
  const now = useNow(lost ? 1_000 : null);
  const wasGone = useRef(false);
  useEffect(() => {
    if (wasGone.current && !gone && lost) retryNow();
    if (gone || !lost) wasGone.current = gone;
  }, [gone, lost, retryNow]);
  if (mode === "polling") return gone ? <BackendGone /> : <FifthTab />;
  if (gone) return <BackendGone />;
  if (!lost || !status) return null;
  if (wasGone.current) return <Reconnecting />;
  // A reconnect that the browser does by itself takes no longer than this.
  return now - status.since < graceMs ? null : (
    <StreamLost lastAt={status.lastAt} nextTryAt={status.nextTryAt} onTry={retryNow} />
  );
}

function Announcer({ facts }: { facts: Facts }) {
  const gate = gateWords(facts);
  const text = gate
    ? `Review required: ${gate}`
    : facts.turn === "failed"
      ? "Turn failed"
      : facts.turn === "idle" && facts.outcome === "answered"
        ? "Answered"
        : facts.turn === "idle" && facts.outcome === "cannot-answer"
          ? "Cannot answer"
          : "";
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

function NoSession({ problem }: { problem: ApiProblem }) {
  return (
    <div className="px-5 py-6">
      <h1 className="text-lg font-semibold tracking-[-0.01em]">
        {problem.status === 404 ? "There is no such session" : "The session could not be read"}
      </h1>
      <p className="mt-1 text-sm text-ink-2">
        {problem.status === 404
          ? "It may have been removed. Choose another on the left, or ask a new question."
          : [problem.message, problem.action].filter(Boolean).join(" ")}
      </p>
    </div>
  );
}
