import {
  type Exchange,
  isAccepted,
  isSilence,
  isThrottled,
  isUnsent,
  isWithoutConnection,
} from '../exchange.js';
import { LOCKED_OUT, type Replaces, stopOf } from '../judge/facts.js';
import { isAcceptedByProvider } from '../judge/testable.js';
import type { CheckSettings } from '../options.js';
import type { PreparedCheck } from '../prepare.js';
import { isAlone, type Probe } from '../row.js';
import { isSentFor } from '../rule.js';
import { plainPlants } from '../values/plain-plants.js';
import { Bundles } from './bundles.js';
import { hasWrongTokens, inParts, type Part } from './order.js';
import { Sender } from './sender.js';
import { Clock } from './time.js';

/** So often, a provider that stops responding is started again to send what is missing, and once more to end with it. */
const MOST_RESTARTS = 8;
/** A check has no more requests than these, but for those that are sent again. */
const MOST_REQUESTS = 499;

/** Sends the probes of a check in a fixed order, and keeps every exchange. */
export class Run {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  /** The probes that were not sent, or that were turned away, each with the reason. */
  readonly leftOut = new Map<Probe, string>();
  /** How many exchanges there were each time that the provider was started again. */
  readonly restarts: number[] = [];
  readonly clock: Clock;
  readonly sender: Sender;
  private readonly bundles: Bundles;
  /** The probes that come last, because they may stop the provider as well. `undefined`: now is their turn. */
  private postponed: Set<Probe> | undefined;
  /** The probes that stop the provider. */
  private readonly fatal = new Set<Probe>();

  /** @param startAgain starts a provider again that has stopped responding, and says whether it answers */
  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: Pick<PreparedCheck, 'rules' | 'plan'>,
    private readonly startAgain?: () => Promise<boolean>,
  ) {
    const room = Math.max(0, MOST_REQUESTS - planned.plan.requests);
    this.bundles = new Bundles((probe) => this.judgedOf(probe)[0], room);
    this.clock = new Clock(settings.timeLimitMs, settings.signal);
    this.sender = new Sender(settings, {
      clock: this.clock,
      mostAgain: planned.plan.again,
      keep: (exchange) => this.keep(exchange),
    });
  }

  /** The probes that were sent. Of a bundle that was not accepted, these are its parts. */
  sent(probes: readonly Probe[]): readonly Probe[] {
    return probes.flatMap((probe) => {
      if (probe.parts === undefined) return this.leftOut.has(probe) ? [] : [probe];
      return [probe, ...probe.parts].filter((one) => this.judgedOf(one).length > 0);
    });
  }

  /** Sends probes in the order of {@link inParts}. If no control is accepted, the rest would prove nothing, and is not sent. */
  async send(probes: readonly Probe[]): Promise<void> {
    const { sender, planned } = this;
    const postponed = new Set<Probe>();
    this.postponed = postponed;
    try {
      const controls = probes.filter(({ phase }) => phase === 'control');
      for (const control of controls) await this.one(control);
      if (controls.length > 0) {
        const isTestable = this.exchanges.some(isAcceptedByProvider);
        if (!isTestable) return;
        await sender.decide(this.exchanges, plainPlants);
      }
      const others = probes.filter((probe) => !controls.includes(probe));
      for (const part of inParts(others, planned.rules, sender.isFar)) {
        await this.part(part);
        if (hasWrongTokens(part)) await this.lookForLockout(part);
      }
      this.postponed = undefined;
      for (const probe of postponed) await this.group([probe]);
    } finally {
      sender.close();
    }
  }

  /**
   * Sends failed probes once more, to see whether their failures repeat. A provider that serves nothing any more shows nothing.
   *
   * @param replaces whether the new attempt is judged instead of the earlier one
   */
  async confirm(probes: readonly Probe[], replaces: Replaces): Promise<readonly Exchange[]> {
    const all: Exchange[] = [];
    const again = async (probe: Probe): Promise<void> => {
      if (this.fatal.has(probe) || this.sender.whyNotSent() !== undefined) return;
      if (!this.sender.mayResend(probe.requests.length)) return;
      const after = await this.sender.send(probe, 'confirmation');
      if (after.some(isThrottled)) return;
      const before = this.judgedOf(probe);
      const steps = areApart(probe, after)
        ? after.map(({ step }) => [step])
        : [after.map(({ step }) => step)];
      for (const some of steps) {
        const isOf = ({ step }: Exchange): boolean => some.includes(step);
        const [old, now] = [before.filter(isOf), after.filter(isOf)];
        const isReplaced = replaces(old, now);
        if (isReplaced) this.sender.assign(old, 'superseded');
        all.push(...(isReplaced ? this.sender.assign(now, 'judged') : now));
      }
    };
    await Promise.all(probes.filter((probe) => !isAlone(probe)).map(again));
    for (const probe of probes.filter(isAlone)) await again(probe);
    await this.sender.watch.end();
    this.sender.close();
    return all;
  }

  private keep(exchange: Exchange): void {
    const { index } = exchange;
    const isNew = this.exchanges[index] === undefined;
    this.exchanges[index] = exchange;
    if (isNew) this.settings.onExchange(exchange);
  }

  private judgedOf({ name }: Probe): Exchange[] {
    return this.exchanges.filter(({ probe, role }) => probe === name && role === 'judged');
  }

  /** Sends the probes of a part, and what follows from the responses to its bundles. */
  private async part(part: Part): Promise<void> {
    const { bundles } = this;
    for (let next = bundles.next(part); next.length > 0; next = bundles.next(part)) await this.group(next);
    for (const bundle of part.filter((probe) => bundles.isExplained(probe)))
      this.sender.assign(this.judgedOf(bundle), 'superseded');
  }

  /** Sends probes side by side, and then those that are alone. */
  private async group(probes: readonly Probe[]): Promise<void> {
    const { isFar, watch } = this.sender;
    const next = probes.filter((probe) => isAlone(probe) && !(isFar && mayShare(probe)));
    await Promise.all(probes.filter((probe) => !next.includes(probe)).map((probe) => this.one(probe)));
    for (const probe of next) {
      // It must be clear which request stopped the provider.
      if (probe.phase === 'heavy') await watch.end();
      await this.one(probe);
    }
    await watch.end();
    if (watch.ended === 'silent') await this.afterStop(probes);
  }

  /** Sends a probe, unless there is a reason not to. */
  private async one(probe: Probe): Promise<void> {
    if (this.postponed !== undefined && this.isLikeFatal(probe)) {
      this.postponed.add(probe);
      return;
    }
    const exchanges = await this.sender.send(probe);
    // With some tokens, a row has no requests: what is made of the token cannot be made.
    const isSent = exchanges.length > 0 || this.sender.whyNotSent() === undefined;
    const isServed = isSent && !exchanges.some((one) => isUnsent(one) || isThrottled(one));
    // What got no response may have stopped the provider, and a control says why nothing can be tested.
    if (isServed || exchanges.some(isSilence) || probe.phase === 'control') return;
    this.leftOut.set(probe, this.sender.whyNotSent() ?? 'the provider turned it away');
    this.sender.assign(exchanges, 'superseded');
  }

  /** Wrong tokens prove nothing if the right token is rejected after them, too. */
  private async lookForLockout(part: Part): Promise<void> {
    const { sender, leftOut } = this;
    const wrong = part.filter(({ phase }) => phase === 'wrong-token').flatMap((one) => this.judgedOf(one));
    const lastMs = Math.max(...wrong.map(({ startMs, durationMs }) => startMs + durationMs));
    const isLater = (one: Exchange): boolean => one.expectation === 'created' && one.startMs > lastMs;
    // A plant that was accepted later shows that it is not.
    if (this.exchanges.some((one) => isLater(one) && isAccepted(one))) return;
    if (sender.whyNotSent() !== undefined || !(await sender.rejectsRightToken())) return;
    await sender.watch.look();
    // If nothing is accepted any more, no rejection counts that came after the last plant that was.
    if (sender.whyNotSent() !== undefined) return;
    for (const probe of part) {
      const judged = this.judgedOf(probe);
      if (judged.some(isAccepted)) continue;
      leftOut.set(probe, LOCKED_OUT);
      sender.assign(judged, 'superseded');
    }
  }

  /**
   * Has a provider started again that has stopped responding, and sends what got no response: one after the other, to find out what
   * stops it. What did is not sent again.
   */
  private async afterStop(group: readonly Probe[]): Promise<void> {
    const { sender, startAgain, restarts, fatal } = this;
    const stop = stopOf(this.exchanges, restarts);
    if (startAgain === undefined || restarts.length > MOST_RESTARTS) return;
    if (stop === undefined || this.clock.signal.aborted) return;
    const isLost = (one: Exchange): boolean => stop.lost.has(one);
    const lost = group.filter((probe) => {
      const judged = this.judgedOf(probe);
      return !fatal.has(probe) && (judged.length === 0 || judged.some(isLost));
    });
    const suspects = lost.filter((probe) =>
      this.judgedOf(probe).some((one) => isLost(one) && isSilence(one) && !isWithoutConnection(one)),
    );
    const [only] = suspects;
    if (only !== undefined && suspects.length === 1) fatal.add(only);
    if (!(await this.clock.awayFor(startAgain))) return;
    sender.close();
    sender.watch.started();
    restarts.push(this.exchanges.length);
    if (restarts.length > MOST_RESTARTS) return;
    const again = lost.filter((probe) => !fatal.has(probe));
    for (const probe of again) {
      this.leftOut.delete(probe);
      sender.assign(this.judgedOf(probe), 'superseded');
    }
    for (const probe of again.filter((one) => suspects.includes(one))) await this.group([probe]);
    await this.group(again.filter((one) => !suspects.includes(one)));
  }

  /** Whether a probe is sent for the same rules as one that stops the provider. It probably stops the provider, too. */
  private isLikeFatal(probe: Probe): boolean {
    if (this.fatal.size === 0) return false;
    const rules = this.planned.rules.filter((rule) => isSentFor(rule, probe));
    return [...this.fatal].some((one) => rules.some((rule) => isSentFor(rule, one)));
  }
}

/** Whether a probe that is alone otherwise may be sent beside others if each response takes long. What is deep may not. */
function mayShare({ phase, alone }: Probe): boolean {
  return phase !== 'control' && !(phase === 'heavy' && alone === true);
}

/** Whether requests do not depend on each other: they are sent together, each for another plant. */
function areApart({ together }: Probe, exchanges: readonly Exchange[]): boolean {
  const ids = new Set(exchanges.map(({ request }) => request.id));
  return together === true && ids.size === exchanges.length;
}
