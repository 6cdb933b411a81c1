<?php
/**
 * The texts that pages show: each the last good one, in an option of its own, until a new one has been checked. They are
 * options and no transients, because a cache may drop those, and in an outage the text would be gone.
 *
 * @package Almanac
 */

namespace Almanac;

/** A text's row is written by who holds the lock; a page that shows one notes only that it was asked for. */
final class Kept_Texts {
	const PREFIX = 'almanac_text_';
	const ASKED  = 'almanac_asked';
	/** Texts that no page has requested for this long are deleted. */
	const FORGOTTEN_AFTER = 30 * DAY_IN_SECONDS;

	/** The entry of a text that is not stored. */
	const NOTHING = array(
		'data'     => null,
		'object'   => '',
		'manifest' => '',
		'key'      => null,
		'checked'  => 0,
		'due'      => 0,
		'failures' => 0,
		'reason'   => '',
	);

	/** With `data`, or null in its place: never had, not published, or signed by a key that is not trusted any more. */
	public static function find( Ask $ask ): array {
		$stored = json_decode( (string) get_option( self::name( $ask ), '' ), true );
		$text   = array_merge( self::NOTHING, is_array( $stored ) ? $stored : array() );
		$keys   = Settings::keys();
		if ( null !== $text['data'] && ! Shape::is_good( $ask->path, $text['data'] ) ) {
			return self::NOTHING;
		}
		return $keys && ! in_array( $text['key'], $keys, true ) ? self::NOTHING : $text;
	}

	/** The value that another request stored meanwhile: WordPress caches an option as first read, even if it was absent. */
	public static function look_again( Ask $ask ): void {
		wp_cache_delete( self::name( $ask ), 'options' );
		wp_cache_delete( 'notoptions', 'options' );
	}

	/** Stored as JSON in plain ASCII, which databases with an old character set do not truncate. */
	public static function keep( Ask $ask, array $text ): void {
		update_option( self::name( $ask ), wp_json_encode( $text ), false );
	}

	/** Notes that a page shows it, once a day: so it is refreshed before the next visitor comes. */
	public static function note( Ask $ask ): void {
		$asked = self::asked();
		$name  = self::name( $ask );
		if ( time() - ( $asked[ $name ]['at'] ?? 0 ) > DAY_IN_SECONDS ) {
			$asked[ $name ] = array(
				'path' => $ask->path,
				'sign' => $ask->sign,
				'at'   => time(),
			);
			update_option( self::ASKED, $asked, false );
		}
	}

	/**
	 * Forgets what no page shows any more, and texts of a site that was read before.
	 *
	 * @return Ask[] All others.
	 */
	public static function all(): array {
		$asks = array();
		$kept = array();
		foreach ( self::asked() as $name => $row ) {
			$ask = new Ask( $row['path'], $row['sign'] );
			if ( self::name( $ask ) !== $name || time() - $row['at'] > self::FORGOTTEN_AFTER ) {
				delete_option( $name );
				continue;
			}
			$asks[]        = $ask;
			$kept[ $name ] = $row;
		}
		if ( count( $kept ) < count( self::asked() ) ) {
			update_option( self::ASKED, $kept, false );
		}
		return $asks;
	}

	private static function asked(): array {
		$asked = get_option( self::ASKED );
		return is_array( $asked ) ? $asked : array();
	}

	private static function name( Ask $ask ): string {
		return self::PREFIX . md5( Settings::root() . " {$ask->path} {$ask->sign}" );
	}
}
