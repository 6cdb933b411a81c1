<?php
/**
 * The button "Test": reads the site as a refresh would and says in sentences what is wrong and what to do.
 *
 * @package Almanac
 */

namespace Almanac;

/** A line is `ok`, `warning` or `error`, and a sentence. */
final class Site_Test {
	/** Longer than a page waits, as an administrator does. */
	const PATIENCE = 15.0;

	/**
	 * Observations, line by line.
	 *
	 * @return array[]
	 */
	public static function lines(): array {
		if ( '' === Settings::root() ) {
			return array( array( 'error', __( 'There is no address yet: give the one under which the site has its front page.', 'almanac' ) ) );
		}
		$site = new Published_Site( Settings::root(), Settings::keys(), self::PATIENCE );
		try {
			$look = $site->look( Refresher::state()['version'] );
			/* translators: %d: a number */
			$lines  = array( array( 'ok', sprintf( __( 'The site answers, with version %d; its files are those of their hashes.', 'almanac' ), $look['version'] ) ) );
			$status = $site->document( $site->object_of( 'v1/status.json' ) );
			if ( ! Shape::is_good( 'v1/status.json', $status ) ) {
				throw new Refusal( 'UnknownFormat', 'v1/status.json has fields of other types' );
			}
			$lines = array_merge( $lines, self::of_signature( $look ), self::of_languages( $status ) );
			Refresher::forget_failures();
		} catch ( Refusal $refusal ) {
			$lines = array( array( 'error', self::advice( $refusal ) ) );
		}
		return array_merge( $lines, self::of_texts(), self::of_cron() );
	}

	private static function advice( Refusal $refusal ): string {
		$advice = array(
			'Unreachable'   => __( 'The site can’t be had. Is the address right, and may this server reach it?', 'almanac' ),
			'Frozen'        => __( 'The site has expired: an old copy is being served, its publisher has stopped, or this server’s clock is wrong.', 'almanac' ),
			'RolledBack'    => __( 'The site shows an older state than before. For some seconds after a publish that is usual; for longer, an old copy is being served.', 'almanac' ),
			'Mixed'         => __( 'Files are not those of their hashes: something on the way changes them, or the copy of the site is not finished.', 'almanac' ),
			'Forged'        => __( 'None of the keys has signed the site. If its owner has not changed keys, it is not the owner’s.', 'almanac' ),
			'UnknownFormat' => __( 'What is there is not what Almanac publishes, or newer than this plugin.', 'almanac' ),
			'TooLarge'      => __( 'A file is larger than it may be.', 'almanac' ),
			'NotPublished'  => __( 'The site is sound and has no such file.', 'almanac' ),
		);
		return "{$advice[ $refusal->kind ]} ({$refusal->kind}: {$refusal->getMessage()})";
	}

	private static function of_signature( array $look ): array {
		if ( null === $look['key'] ) {
			return array( array( 'warning', __( 'The signature is not looked at: no key is given.', 'almanac' ) ) );
		}
		return array( array( 'ok', __( 'It is signed by a key of yours.', 'almanac' ) ) );
	}

	private static function of_languages( array $status ): array {
		$lines = array();
		$codes = array();
		foreach ( $status['languages'] ?? array() as $one ) {
			$codes[] = $one['language'];
			if ( isset( $one['nextAt'] ) && strtotime( $one['nextAt'] ) < time() ) {
				/* translators: 1: a language's code, 2: an instant */
				$lines[] = array( 'warning', sprintf( __( '%1$s is late: its next edition was due at %2$s.', 'almanac' ), $one['language'], $one['nextAt'] ) );
			}
			foreach ( $one['missing'] ?? array() as $missing ) {
				/* translators: 1: a language's code, 2: an operation */
				$lines[] = array( 'warning', sprintf( __( '%1$s has no current %2$s.', 'almanac' ), $one['language'], $missing['operation'] ) );
			}
		}
		$own = Settings::all()['language'];
		$own = 'page' === $own ? Languages::base_of( get_locale() ) : $own;
		if ( in_array( $own, $codes, true ) ) {
			/* translators: %s: a list of languages' codes */
			array_unshift( $lines, array( 'ok', sprintf( __( 'Languages: %s.', 'almanac' ), implode( ', ', $codes ) ) ) );
		} else {
			/* translators: 1: a language's code, 2: another, 3: a list of codes */
			array_unshift( $lines, array( 'warning', sprintf( __( 'The site has no texts in %1$s, so pages show those in %2$s. It has: %3$s.', 'almanac' ), $own, Languages::of_locale( $own, $codes ), implode( ', ', $codes ) ) ) );
		}
		return $lines;
	}

	private static function of_texts(): array {
		$lines = array();
		foreach ( Kept_Texts::all() as $ask ) {
			$reason = Kept_Texts::find( $ask )['reason'];
			if ( '' !== $reason ) {
				$lines[] = array( 'warning', trim( "{$ask->path} {$ask->sign}" ) . ": $reason" );
			}
		}
		return $lines;
	}

	private static function of_cron(): array {
		$next = wp_next_scheduled( Refresher::HOOK );
		if ( is_int( $next ) && $next < time() - HOUR_IN_SECONDS ) {
			return array( array( 'warning', __( 'WordPress’s tasks have not run for an hour. If DISABLE_WP_CRON is set, let the server’s own cron call wp-cron.php.', 'almanac' ) ) );
		}
		return array();
	}
}
