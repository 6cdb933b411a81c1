<?php
/**
 * Brings new texts: every quarter of an hour by wp-cron, and for a page only where it has nothing or yesterday's to show, which
 * then waits three seconds at most. Whatever goes wrong, the text that is there stays.
 *
 * @package Almanac
 */

namespace Almanac;

/** Failures back off: of the site as a whole in the state, of one file in its text. */
final class Refresher {
	const HOOK     = 'almanac_refresh';
	const INTERVAL = 'almanac_quarter_hour';
	const STATE    = 'almanac_state';
	/** For all blocks of a page together: longer is felt. */
	const PAGE_PATIENCE = 3.0;
	/** For a run of wp-cron: within the minute that many hosts give it. */
	const CRON_PATIENCE = 45.0;
	/** A correction or a withdrawal arrives within this, and the quarter of an hour of wp-cron. */
	const LOOK_AGAIN = HOUR_IN_SECONDS;
	/** Without a key a version counts this long: by then every older state has expired. */
	const REMEMBERED = 14 * DAY_IN_SECONDS;
	/** The first day of 2026, from which versions are counted where none was seen. */
	const FIRST = 1767225600;
	/** How soon after its time a text that is late is asked for again. */
	const LATE = 5 * MINUTE_IN_SECONDS;

	/**
	 * The site as this request reads it.
	 *
	 * @var Published_Site|null
	 */
	private static $site;

	/** The interval's name and length, for WordPress's list. */
	public static function intervals( array $intervals ): array {
		$intervals[ self::INTERVAL ] = array(
			'interval' => 15 * MINUTE_IN_SECONDS,
			'display'  => 'Almanac',
		);
		return $intervals;
	}

	/** With every request, so that each site of a network has it, and one that lost it has it again. */
	public static function schedule(): void {
		if ( ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_event( time(), self::INTERVAL, self::HOOK );
		}
	}

	/** With its deactivation. */
	public static function unschedule(): void {
		wp_clear_scheduled_hook( self::HOOK );
	}

	/** The callback of wp-cron. */
	public static function run_due(): void {
		$due = array_filter( Kept_Texts::all(), array( self::class, 'is_due' ) );
		if ( $due ) {
			self::refresh( $due, self::CRON_PATIENCE );
		}
	}

	/**
	 * The text as a page should show it now.
	 *
	 * @param Ask      $ask   What the page shows.
	 * @param Ask|null $words Its language's: looked for after it and kept before it, so that who finds the text finds them.
	 */
	public static function text( Ask $ask, ?Ask $words = null ): array {
		$due = array();
		foreach ( array_filter( array( $ask, $words ) ) as $one ) {
			Kept_Texts::note( $one );
			if ( ! self::is_good( Kept_Texts::find( $one ) ) && self::is_due( $one ) ) {
				array_unshift( $due, $one );
			}
		}
		if ( $due ) {
			self::refresh( $due, self::PAGE_PATIENCE );
		}
		return Kept_Texts::find( $ask );
	}

	/** Observations of the site as a whole. */
	public static function state(): array {
		$stored = get_option( self::STATE );
		$state  = array(
			'root'     => Settings::root(),
			'version'  => 0,
			'at'       => self::FIRST,
			'key'      => null,
			'failures' => 0,
			'retry'    => 0,
			'reason'   => '',
		);
		if ( ! is_array( $stored ) || ( $stored['root'] ?? '' ) !== $state['root'] ) {
			return $state;
		}
		$state = array_merge( $state, $stored );
		$keys  = Settings::keys();
		if ( $keys && ! in_array( $state['key'], $keys, true ) ) {
			$state['version'] = 0; // What a key signed that is not trusted now counts for nothing.
		}
		if ( ! $keys && time() - $state['at'] >= self::REMEMBERED ) {
			$state['version'] = 0;
			$state['at']      = self::FIRST;
		}
		return $state;
	}

	/** After a test that went well, or with other settings, nobody has to wait for the end of a back-off. */
	public static function forget_failures(): void {
		update_option( self::STATE, array_merge( self::state(), self::failed( 0, '' ) ), false );
	}

	/**
	 * Is there one, and is it still the current one?
	 *
	 * @param array $text As it is kept.
	 */
	private static function is_good( array $text ): bool {
		$until = $text['data']['validUntil'] ?? '';
		return null !== $text['data'] && ( ! is_string( $until ) || '' === $until || strtotime( $until ) > time() );
	}

	private static function is_due( Ask $ask ): bool {
		return '' !== Settings::root() && Kept_Texts::find( $ask )['due'] <= time();
	}

	/**
	 * Unless another request does it already, or the site failed a short time ago.
	 *
	 * @param Ask[] $asks     What is due.
	 * @param float $patience For all of them together, in seconds.
	 */
	private static function refresh( array $asks, float $patience ): void {
		$wait = current_user_can( 'edit_posts' ) ? self::PAGE_PATIENCE : 0.0; // Nobody asks for an author's preview again.
		if ( self::state()['retry'] > time() || ! Lock::take( $wait ) ) {
			return;
		}
		try {
			array_map( array( Kept_Texts::class, 'look_again' ), $asks );
			$due        = array_filter( $asks, array( self::class, 'is_due' ) );
			self::$site = self::$site ?? new Published_Site( Settings::root(), Settings::keys(), $patience );
			if ( $due ) {
				self::refresh_from( self::$site, $due );
			}
		} finally {
			Lock::release();
		}
	}

	private static function refresh_from( Published_Site $site, array $asks ): void {
		$state = self::state();
		try {
			$look = $site->look( $state['version'] );
		} catch ( Refusal $refusal ) {
			$failed = self::failed( $state['failures'] + 1, "{$refusal->kind}: {$refusal->getMessage()}" );
			update_option( self::STATE, array_merge( $state, $failed ), false );
			return;
		}
		$step = 1000 * ( 1 + max( 0, time() - $state['at'] ) / DAY_IN_SECONDS );
		$seen = array();
		if ( null !== $look['key'] || $look['version'] - $state['version'] < $step ) {
			$seen = array(
				'version' => $look['version'],
				'at'      => time(),
				'key'     => $look['key'],
			);
		}
		update_option( self::STATE, array_merge( $state, $seen, self::failed( 0, '' ) ), false );
		foreach ( $asks as $ask ) {
			if ( $site->has_time() ) {
				Kept_Texts::keep( $ask, self::checked( $site, $look, $ask ) );
			}
		}
	}

	/** The newest text, or the one that is kept with the reason why. */
	private static function checked( Published_Site $site, array $look, Ask $ask ): array {
		$text = Kept_Texts::find( $ask );
		try {
			if ( $text['manifest'] !== $look['manifest'] ) {
				$object = $site->object_of( $ask->path );
				if ( $object !== $text['object'] || null === $text['data'] ) {
					$data = self::only( $ask, $site->document( $object ) );
					if ( ! Shape::is_good( $ask->path, $data ) ) {
						throw new Refusal( 'UnknownFormat', "{$ask->path} has fields of other types" );
					}
					$text['data'] = $data;
				}
				$text['object'] = $object;
			}
		} catch ( Refusal $refusal ) {
			if ( 'NotPublished' !== $refusal->kind ) {
				$failed = self::failed( $text['failures'] + 1, "{$refusal->kind}: {$refusal->getMessage()}" );
				return array_merge( $text, $failed, array( 'due' => $failed['retry'] ) );
			}
			$text['data']   = null; // Taken away: not shown again.
			$text['object'] = '';
			$text['reason'] = "NotPublished: {$refusal->getMessage()}";
		}
		$text['reason']   = null === $text['data'] ? $text['reason'] : '';
		$text['manifest'] = $look['manifest'];
		$text['key']      = $look['key'];
		$text['failures'] = 0;
		$text['checked']  = time();
		$text['due']      = self::next_look( $text['data']['nextAt'] ?? '' );
		return $text;
	}

	/**
	 * When the next one is due, but within the hour; for one that is late, in a few minutes.
	 *
	 * @param mixed $next_at As it is published.
	 */
	private static function next_look( $next_at ): int {
		$next = is_string( $next_at ) ? (int) strtotime( $next_at ) : 0;
		$late = 0 !== $next && $next <= time();
		return $late ? time() + self::LATE : min( 0 === $next ? PHP_INT_MAX : $next, time() + self::LOOK_AGAIN );
	}

	private static function only( Ask $ask, array $document ): array {
		if ( '' === $ask->sign ) {
			return $document;
		}
		$readings = $document['readings'] ?? null;
		$reading  = $readings[ $ask->sign ] ?? null;
		if ( ! is_array( $readings ) || ( array_key_exists( $ask->sign, $readings ) && ! is_array( $reading ) ) ) {
			throw new Refusal( 'UnknownFormat', "{$ask->path} has fields of other types" );
		}
		if ( null === $reading ) {
			throw new Refusal( 'NotPublished', "{$ask->path} has no text of {$ask->sign}" );
		}
		unset( $document['readings'] );
		$document['reading'] = $reading;
		return $document;
	}

	/** After the first failure a minute, then twice as long each time, an hour at most. */
	private static function failed( int $failures, string $reason ): array {
		$wait = min( HOUR_IN_SECONDS, MINUTE_IN_SECONDS * 2 ** min( 10, $failures - 1 ) );
		return array(
			'failures' => $failures,
			'retry'    => 0 === $failures ? 0 : time() + (int) $wait,
			'reason'   => $reason,
		);
	}
}
