import { type Exchange, isAccepted, isRejected, isUnprocessed, isUnsent } from '../exchange.js';
import type { Replaces } from '../judge/facts.js';
import { answersEverything, maySeemNoProvider } from '../judge/testable.js';
import type { CheckSettings } from '../options.js';
import type { PreparedCheck } from '../prepare.js';
import { isAlone, mayBeLeftOut, PHASES, type Probe } from '../probe.js';
import { emptyRequest } from '../topics/plain.js';
import { Bundles } from './bundles.js';
import { CheckSession } from './check-session.js';
import {
  type First,
  firstForEachRule,
  firstParts,
  isLate,
  isOrdinary,
  longestFirst,
  orderOf,
  sideBySide,
  tellingFirst,
} from './order.js';
import { TimePlan, wait } from './pace.js';
import {
  MOST_RESENDS,
  mayBeUnusualLimit,
  NO_RESENDS,
  PERSISTENT,
  RESERVED_PART,
  resendReason,
  WaitBudget,
  waitMs,
} from './resend.js';
import { Restarting } from './restarting.js';

/** A rule with so few generated probes needs each of them. */
const FEW = 3;
/** A provider is far if a lone creation takes longer than this. */
const FAR_MS = 90;
/** While it is not known whether there is time for a probe, it is looked at again after this time. */
const SOON_MS = 250;
const LOCKED_OUT = 'the right token is rejected after wrong ones';
/** A probe whose rejection may be one of a limit waits this long before it is sent again. */
const LIMIT_MS = 300;

/**
 * Sends probes, and keeps every exchange. If a probe proved nothing, it is sent again, whole and with new ids: see
 * {@link MOST_RESENDS}.
 */
export class Run {
  /** The probes that were left out because there was no time for them. */
  readonly dropped = new Set<Probe>();
  /** The probes that would have shown nothing, each with the reason. */
  readonly skipped = new Map<Probe, string>();
  /** The probes that were throttled, and that there was no time to send again. */
  readonly cutShort = new Set<Probe>();
  readonly session: CheckSession;
  private readonly first: First;
  /** The same probes. */
  private readonly isFirst: ReadonlySet<Probe>;
  private readonly timePlan: TimePlan;
  private readonly waitBudget: WaitBudget;
  private readonly bundles: Bundles;
  /** Undefined if nobody can start the provider again. */
  private readonly restarting: Restarting | undefined;
  private resent = 0;
  /** The probes of all parts so far. */
  private readonly begun = new Set<Probe>();
  /** How many generated probes are sent for a rule, by its id. */
  private readonly sentFor = new Map<string, number>();

  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: Pick<PreparedCheck, 'rules' | 'plan' | 'counts' | 'ifRejected'>,
    startAgain?: () => Promise<boolean>,
  ) {
    this.session = new CheckSession(settings, planned.plan.requests);
    this.waitBudget = new WaitBudget(this.session.times.waitingMs);
    for (const { rules = [] } of planned.counts.keys())
      for (const rule of rules) this.sentFor.set(rule, (this.sentFor.get(rule) ?? 0) + 1);
    this.bundles = new Bundles(
      {
        send: (probe) => this.probe(probe, true),
        exchanges: () => this.exchanges,
        reassign: (exchanges, role) => this.reassign(exchanges, role),
        hasStopped: () => this.hasStopped,
      },
      planned.ifRejected,
    );
    this.restarting = startAgain && this.restartingWith(startAgain);
    const { rules, counts } = planned;
    const probes = [...counts.keys()];
    this.first = firstForEachRule(rules, probes, this.countOf);
    this.isFirst = new Set(this.first.flat());
    this.timePlan = new TimePlan(probes, () => orderOf(this.first, rules, probes), this.countOf);
  }

  /** Whether nothing more is accepted, or wanted. */
  private get hasStopped(): boolean {
    const { liveness, quota } = this.session;
    return this.settings.signal.aborted || liveness.hasStopped || quota.isUsedUp;
  }

  private restartingWith(startAgain: () => Promise<boolean>): Restarting {
    const { liveness } = this.session;
    return new Restarting({
      rules: this.planned.rules,
      exchanges: () => this.exchanges,
      hasStopped: () => liveness.hasStopped,
      look: () => liveness.end(),
      startAgain: () => this.session.startAgain(startAgain),
      partsOf: (probe) => this.bundles.partsOf(probe),
      forget: (probe) => this.forget(probe),
      isLeftOut: (probe) => this.dropped.has(probe) || this.skipped.has(probe),
      leaveOut: (probe, why) => this.skipped.set(probe, why),
      reassign: (exchanges, role) => this.reassign(exchanges, role),
      sendPhases: (probes) => this.sendPhases(probes),
      send: (probe) => this.probeAndParts(probe, false),
    });
  }

  /** How many exchanges there were each time that the provider was started again. */
  get restarts(): readonly number[] {
    return this.restarting?.restarts ?? [];
  }

  /** In the order in which they ended. */
  get exchanges(): Exchange[] {
    return this.session.exchanges;
  }

  /** Some probes that were sent, with the parts of those that were split. */
  sent(probes: readonly Probe[]): readonly Probe[] {
    return this.bundles.sent(probes);
  }

  /**
   * Sends probes: first those that give each rule a request, then the others, and at last what is made of the token and what is
   * heavy. If no control is accepted, the rest would prove nothing, and is not sent.
   */
  async send(probes: readonly Probe[]): Promise<void> {
    try {
      await this.sendAll(probes);
      await this.restarting?.after(probes);
    } finally {
      this.session.close();
    }
  }

  /** Prepares to send a probe once more, whole: what was sent of it counts no more. */
  private forget(probe: Probe): void {
    const names = new Set(this.bundles.partsOf(probe).map(({ name }) => name));
    this.reassign(
      this.exchanges.filter((one) => names.has(one.probe) && one.role === 'judged'),
      'superseded',
    );
    this.bundles.forget(probe);
    this.begun.delete(probe);
  }

  private async sendAll(probes: readonly Probe[]): Promise<void> {
    const controls = probes.filter(({ phase }) => phase === 'control');
    await this.sendPhase(controls);
    if (controls.length > 0 && !(await this.isProvider(controls))) return;
    const late = probes.filter(isLate);
    this.session.isFar = this.settings.fetch === undefined && this.session.pace.loneMs > FAR_MS;
    const { first, ifScarce } = firstParts(this.first, probes);
    const others = probes.filter(isOrdinary);
    if (this.session.isFar) {
      // Side by side, a plain plant does not come after the wrong tokens.
      const early = ifScarce.map((part) => part.filter(({ phase }) => phase !== 'afterwards'));
      await this.sendParts([...first, ...(this.areScarce ? early : []), others]);
      await this.sendPhase(this.bundles.takeFurther());
    } else {
      for (const part of first) await this.sendPhases(part);
      const next = async (): Promise<void> => {
        if (this.areScarce && others.some((probe) => !this.begun.has(probe)))
          for (const part of ifScarce) await this.sendPhases(part);
      };
      await next();
      await this.sendPhases(others, async () => {
        await this.sendPhase(this.bundles.takeFurther());
        await next();
      });
    }
    await this.sendPhases(late);
    await this.sendHeavy(probes.filter(({ phase }) => phase === 'heavy'));
    await this.session.liveness.end();
  }

  /** Sends what may stop the provider, and finds out each time whether it has. A client that is locked out would not see it. */
  private async sendHeavy(probes: readonly Probe[]): Promise<void> {
    if (this.afterWrongTokens !== undefined && isRejected(this.afterWrongTokens)) {
      for (const probe of probes) this.skipped.set(probe, LOCKED_OUT);
      return;
    }
    // What is deep is the most dangerous: it is alone in any case.
    const beside = this.session.isFar ? probes.filter((probe) => !probe.alone) : [];
    await Promise.all(beside.map((probe) => this.probe(probe, false)));
    for (const probe of probes.filter((one) => !beside.includes(one))) {
      await this.session.liveness.end();
      await this.probe(probe, false);
    }
  }

  /** The plain plant that shows whether the client is locked out. */
  private get afterWrongTokens(): Exchange | undefined {
    return this.exchanges.findLast(({ probe }) => probe === 'plain-plant-after-wrong-tokens');
  }

  /** Whether plain plants are accepted, perhaps only with the field Accept, and by something that reads them. */
  private async isProvider(controls: readonly Probe[]): Promise<boolean> {
    const sent = this.exchanges.filter(({ role }) => role === 'judged');
    if (sent.every(({ response }) => response?.status === 406)) {
      this.reassign(sent, 'superseded');
      this.session.accept = 'application/json';
      await this.sendPhase(controls, true);
      if (!this.exchanges.some(isAccepted)) this.session.accept = undefined;
    }
    if (!this.exchanges.some(isAccepted)) return false;
    if (!maySeemNoProvider(this.exchanges)) return true;
    await this.sendPhase([emptyRequest]);
    return answersEverything(this.exchanges) === undefined;
  }

  /** Whether the provider accepts fewer requests than are left. Then a verdict of each rule is worth more than what a lockout hides. */
  private get areScarce(): boolean {
    const { requests } = this.planned.plan;
    return (
      this.session.quota.announced < requests - this.exchanges.length ||
      !this.timePlan.hasTimeForAll(this.session.leftMs, this.session.speed)
    );
  }

  /**
   * Sends probes phase by phase.
   *
   * @param after is called after each phase
   */
  private async sendPhases(probes: readonly Probe[], after?: () => Promise<void>): Promise<void> {
    for (const phase of PHASES) {
      await this.sendPhase(probes.filter((probe) => probe.phase === phase));
      await after?.();
    }
  }

  /** Sends parts of the probes, each in its own phases, side by side. */
  private async sendParts(parts: readonly (readonly Probe[])[]): Promise<void> {
    this.session.pace.widen(this.settings.timeoutMs, this.settings.concurrencyIfFar);
    // In this order, they wait for their turns.
    const now = this.unsent(sideBySide(parts, this.countOf));
    await Promise.all(now.map((probe) => this.probeAndParts(probe, false)));
  }

  /** The probes that no part before had, each once. */
  private unsent(probes: readonly Probe[]): readonly Probe[] {
    const unsent = [...new Set(probes)].filter((probe) => !this.begun.has(probe));
    for (const probe of unsent) this.begun.add(probe);
    return unsent;
  }

  /** Sends a probe, and then its parts if it is not accepted. */
  private async probeAndParts(probe: Probe, isAgain: boolean): Promise<void> {
    await this.probe(probe, isAgain);
    await this.bundles.after(probe);
  }

  private async sendPhase(probes: readonly Probe[], isAgain = false): Promise<void> {
    const now = tellingFirst(isAgain ? probes : this.unsent(probes));
    const isNext = (probe: Probe): boolean =>
      isAlone(probe) && !(this.session.isFar && probe.phase === 'wrong-token');
    const beside = now.filter((probe) => !isNext(probe));
    const inOrder = this.session.isFar ? longestFirst(beside, this.countOf) : beside;
    await Promise.all(inOrder.map((probe) => this.probeAndParts(probe, isAgain)));
    for (const probe of now.filter(isNext)) await this.probeAndParts(probe, isAgain);
  }

  /** Keeps exchanges that something else sent. */
  adopt(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) this.exchanges.push({ ...exchange, index: this.exchanges.length });
  }

  /**
   * Sends failed probes once more, to see whether their failures repeat.
   *
   * @param replaces whether the new attempt is judged instead of the earlier one
   */
  async confirm(probes: readonly Probe[], replaces: Replaces): Promise<readonly Exchange[]> {
    if (this.hasStopped) return [];
    const again = (probe: Probe): Promise<readonly Exchange[]> =>
      this.restarting?.isFatal(probe) !== true && this.isWithinResends(this.countOf(probe))
        ? this.confirmation(probe)
        : none();
    const confirmations = await Promise.all(probes.filter((probe) => !isAlone(probe)).map(again));
    for (const probe of probes.filter(isAlone)) confirmations.push(await again(probe));
    await this.session.liveness.end();
    const together = new Set<string | undefined>(
      probes.filter((probe) => probe.together === true).map(({ name }) => name),
    );
    return confirmations.flatMap((sequence) => {
      const before = this.exchanges.filter(
        ({ probe, role }) => probe === sequence[0]?.probe && role === 'judged',
      );
      // Requests that are sent together do not depend on each other.
      if (together.has(sequence[0]?.probe))
        return sequence.flatMap((after) => this.replaced(before, after, replaces));
      if (!replaces(before, sequence)) return sequence;
      this.reassign(before, 'superseded');
      return this.reassign(sequence, 'judged');
    });
  }

  private confirmation(probe: Probe): Promise<readonly Exchange[]> {
    return this.session.attempt(probe, 'confirmation', probe.oneConnection === true);
  }

  private replaced(before: readonly Exchange[], after: Exchange, replaces: Replaces): Exchange[] {
    const same = before.filter(({ step }) => step === after.step);
    if (!replaces(same, [after])) return [after];
    this.reassign(same, 'superseded');
    return this.reassign([after], 'judged');
  }

  private readonly countOf = (probe: Probe): number => this.planned.counts.get(probe) ?? 0;

  /** @param isAgain whether it was admitted before */
  private async probe(probe: Probe, isAgain: boolean): Promise<void> {
    const resends = { ...NO_RESENDS };
    /** Those that a limit may have rejected, before they were sent again. */
    let doubtful: readonly Exchange[] = [];
    let isTooEarly = false;
    for (let isFirst = !isAgain; ; isFirst &&= isTooEarly) {
      // After a stale connection, every connection is new: a missing response then has another reason.
      const isKept = resends.stale === 0;
      const exchanges = await this.session.attempt(
        probe,
        'judged',
        isKept,
        () => {
          isTooEarly = isFirst && this.isTooEarlyFor(probe);
          return isTooEarly || (isFirst && !this.admits(probe));
        },
        (exchange, tries) => this.isRetried(probe, exchange, tries),
      );
      if (isTooEarly) {
        await wait(SOON_MS, this.session.waiting);
        continue;
      }
      for (const rejected of doubtful)
        if (exchanges.some((one) => one.step === rejected.step && isAccepted(one)))
          this.session.recovered(rejected);
      if (this.session.isOver && exchanges.some(isUnsent)) this.cutShort.add(probe);
      const reason = resendReason(exchanges);
      if (reason === undefined || resends[reason] >= MOST_RESENDS[reason]) return;
      // Its parts are sent next.
      if (reason === 'rejected' && probe.parts !== undefined && !exchanges.some(mayBeUnusualLimit)) return;
      if (reason === 'crowded' || reason === 'throttled') this.session.pace.crowded();
      // The requests of a sequence were sent again one by one.
      if (reason === 'throttled' && exchanges.length > 1) return;
      if (reason === 'throttled' && !(await this.waited(probe, exchanges, resends.throttled))) return;
      // If it was a limit after all, the next attempt comes when more is accepted again.
      doubtful = reason === 'rejected' ? exchanges.filter(mayBeUnusualLimit) : [];
      if (doubtful.length > 0) await this.waitBudget.wait(LIMIT_MS, this.session.waiting);
      if (!this.isWithinResends(this.countOf(probe))) {
        if (reason === 'throttled') this.cut(probe, resends.throttled);
        return;
      }
      resends[reason]++;
      this.reassign(exchanges, 'superseded');
    }
  }

  /** Waits until a request that was turned away can be sent again, if it can. */
  private async isRetried(probe: Probe, exchange: Exchange, tries: number): Promise<boolean> {
    this.session.pace.crowded();
    if (tries >= MOST_RESENDS.throttled || !(await this.waited(probe, [exchange], tries))) return false;
    if (!this.isWithinResends(1)) {
      this.cut(probe, tries);
      return false;
    }
    this.reassign([exchange], 'superseded');
    return true;
  }

  /** Whether so many requests may be sent again: their number is limited. */
  private isWithinResends(requests: number): boolean {
    this.resent += requests;
    return this.resent <= this.planned.plan.again;
  }

  private reassign(exchanges: readonly Exchange[], role: Exchange['role']): Exchange[] {
    return exchanges.map((exchange) => (this.exchanges[exchange.index] = { ...exchange, role }));
  }

  private async waited(probe: Probe, exchanges: readonly Exchange[], resends: number): Promise<boolean> {
    const { times, spentMs, waiting } = this.session;
    const ms = waitMs(exchanges, resends, probe, {
      longestMs: times.longestWaitMs,
      isRateLimited: this.session.rate.isLearned,
    });
    if (ms === undefined ? this.session.quota.isUsedUp : this.isTooMuch(probe)) this.cut(probe, resends);
    if (ms === undefined || this.cutShort.has(probe)) return false;
    const reservedMs = this.isSpare(probe) ? RESERVED_PART * this.waitBudget.maxMs : 0;
    const hasWaited =
      spentMs + ms < times.lastBeginMs && (await this.waitBudget.wait(ms, waiting, reservedMs));
    if (!hasWaited) this.cut(probe, resends);
    return hasWaited;
  }

  /** Whether the provider limits its rate so much that there is no time for a probe that is not among the first. */
  private isTooMuch(probe: Probe): boolean {
    return !this.isNeeded(probe) && this.session.rate.isLearned && this.areScarce;
  }

  /** Whether a probe is sent whatever the time: what exploring found, and the first of each rule. */
  private isNeeded(probe: Probe): boolean {
    return !this.planned.counts.has(probe) || this.isFirst.has(probe);
  }

  /** Whether many other probes are sent for each rule of a probe that a family generates. */
  private isSpare(probe: Probe): boolean {
    const { rules = [] } = probe;
    return mayBeLeftOut(probe) && rules.every((rule) => (this.sentFor.get(rule) ?? 0) > FEW);
  }

  /** Notes that a throttled probe is not sent again, unless the reason may be what it sends. */
  private cut(probe: Probe, resends: number): void {
    const isForContent = resends >= PERSISTENT && !this.session.rate.isLearned;
    if (!isForContent && !this.settings.signal.aborted) this.cutShort.add(probe);
  }

  /** Whether it is not known yet if there is time for a probe: the provider has just begun to limit its rate. */
  private isTooEarlyFor(probe: Probe): boolean {
    const { rate, isOver, waiting, quota } = this.session;
    const isOpen = rate.isLearned && rate.accepted === 0 && !quota.isUsedUp;
    return isOpen && !this.isNeeded(probe) && !isOver && !waiting.aborted;
  }

  /** Whether there is time for a probe. */
  private admits(probe: Probe): boolean {
    // What exploring found is always sent again.
    if (!this.planned.counts.has(probe)) return true;
    const isFirst = this.isFirst.has(probe);
    const { isOver, quota } = this.session;
    const after = this.afterWrongTokens;
    if (after !== undefined && isRejected(after) && !isUnprocessed(after) && !isLate(probe)) {
      this.skipped.set(probe, LOCKED_OUT);
      return false;
    }
    const hasTime = this.timePlan.admits(probe, this.session.leftMs, this.session.speed) || isFirst;
    // A limit of each user lets wrong tokens through to where they are rejected.
    const mayBeProcessed = !quota.isUsedUp || (isFirst && isLate(probe));
    const isAdmitted = !isOver && hasTime && mayBeProcessed;
    if (!isAdmitted) this.dropped.add(probe);
    return isAdmitted;
  }
}

async function none(): Promise<Exchange[]> {
  return [];
}
